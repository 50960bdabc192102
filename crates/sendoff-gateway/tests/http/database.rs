//! Applications in a database: SQLite in a file, and PostgreSQL with several processes.

use sqlx::{AnyConnection, Connection as _, Row as _};

use crate::support::{
    admin::{
        self, SHOP, VARIABLES, ask, change, end, exported, fresh, import, make, networks, open,
        read, run, secret, start, status,
    },
    postgres::Postgres,
    prelude::*,
};

/// Waits until the status of a key at a gateway is this one.
async fn until_is(gateway: &Gateway, key: &str, expected: u16) {
    until("the key is as it was made", async || status(gateway, key).await == expected).await;
}

/// Runs statements on a database, and returns what the rows of the last one have as their only text.
async fn rows(database: &str, statements: &str) -> Vec<String> {
    sqlx::any::install_default_drivers();
    let is_server = database.starts_with("postgres:");
    let file = format!("sqlite://{database}?mode=rwc");
    let connection = AnyConnection::connect(if is_server { database } else { &file }).await;
    let mut connection = connection.expect("a database");
    let rows = sqlx::raw_sql(statements).fetch_all(&mut connection).await;
    connection.close().await.expect("a connection");
    rows.expect("valid statements").iter().map(|row| row.get(0)).collect()
}

/// `import` takes what `export` writes, byte by byte, and nothing is lost: the applications of a file, in one database, exported,
/// imported into another and exported again are the same bytes, and serve the same callers. The same file fills a database that is
/// new, that of the memory too; later the database holds.
#[tokio::test]
async fn a_file_goes_into_the_database_and_comes_out_again() {
    let folder = Folder::new("files");
    let file = |name: &str, text: &str| folder.write(name, text).display().to_string();
    let database = |name: &str| folder.0.join(name).display().to_string();
    let own = file("own.toml", &admin::file_of(&database("one.db"), UNLIMITED));
    let said = |arguments: &[&str], part: &str| {
        let said = run(arguments).expect_err("it is refused");
        assert!(said.contains(part), "{part}: {said}");
    };

    // A file of applications has nothing else, and the first problem has its line; a configuration has no applications.
    said(&["import", "--config", &own, &own], ".toml: line 1: admin: unknown field `admin`");
    let whole = config(UNLIMITED, "", "");
    let of_whole = file("whole.toml", &whole);
    let unknown = "environment.sandbox.application: unknown field `application`";
    said(&["--check", "--config", &of_whole], unknown);

    let (plain, applications) = split(&whole);
    let applications = file("applications.toml", &applications);
    let imports = ["import", "--config", &own, &applications];
    let expected = format!("1 applications of {applications} are in the database of {own}\n");
    assert_eq!(run(&imports), Ok(expected));
    said(&imports, "nothing was imported: `shop` of `sandbox`: name: expected a name that no");

    let (of_file, of_database) = (Gateway::start(&whole), start(&database("one.db")));
    let of_export = start(&database("other.db"));
    import(&of_export, &exported(&of_database));
    assert_eq!(exported(&of_export), exported(&of_database));
    until_is(&of_export, KEY, 200).await;
    for list in ["networks", "tokens"] {
        let mut replies = Vec::new();
        for gateway in [&of_file, &of_database, &of_export] {
            for caller in [CLIENT, USER] {
                let line = format!("GET /api/v1/supported/{list}");
                replies.push(gateway.call(&line, &[caller], "").await.data());
            }
        }
        assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
    }

    // An environment that the configuration has no more is in the backup too.
    let moved = "INSERT INTO application SELECT 'moon', name, document FROM application";
    rows(&database("one.db"), moved).await;
    assert!(exported(&of_database).contains("[[environment.moon.application]]"));

    // The file fills a database in which nothing was changed, once.
    let named = admin::file_of(&database("third.db"), UNLIMITED);
    let named = format!("applications = {applications:?}\n{named}");
    let mut filled = Gateway::start_with(&named, VARIABLES);
    assert_eq!(status(&filled, KEY).await, 200);
    change(&filled, Method::DELETE, SHOP, Value::Null).await;
    assert!(filled.stop().contains("it was new, and is filled with 1 of "));
    let mut later = Gateway::start_with(&named, VARIABLES);
    assert_eq!(status(&later, KEY).await, 401, "the database holds");
    assert!(later.stop().contains("it has changes, so "));
    let memory = file("memory.toml", &plain);
    said(&["export", "--config", &memory], "expected a database in the configuration");
}

/// A backup of everything that the API can make is imported again: a policy, origins without `cors`, odd names, the largest
/// catalogue that is permitted, nothing at all. What it makes can be read.
#[tokio::test]
async fn what_the_api_makes_is_exported_and_imported() {
    let names = ["a b", "a-b", "(x)", "z'", "a/b", "e\u{301}", "\u{5e97}"];
    let file = path("applications.db");
    let gateway = start(&file);
    let imported = |text: &str| {
        let other = fresh();
        import(&other, text);
        exported(&other)
    };
    assert_eq!(imported(&exported(&gateway)), exported(&gateway), "nothing");

    let policy = json!({ "limit": 2_097_151, "windowMs": 1_000, "dayOffsetMinutes": -720, "midnight": "carry", "holdMs": 7 });
    for (number, name) in names.iter().enumerate() {
        let origins = if number % 2 == 0 { json!(["*"]) } else { json!(["https://a.example"]) };
        let policy = if number % 3 == 0 { json!("none") } else { policy.clone() };
        let draft = json!({
            "environment": "sandbox", "name": name, "clientSWA": USER_SWA, "origins": origins, "policy": policy,
        });
        make(&gateway, "/applications", draft).await;
    }
    let (one, _two) = (open(&gateway, "one").await, open(&gateway, "two").await);
    let token = |number: u32| {
        let name = format!("{number:06}{}", "\u{1f600}".repeat(58));
        json!({ "caip2Id": "eip155:137", "tokenAddress": format!("0x{:040x}", 1_000_000 + number), "name": name })
    };
    let tokens: Vec<_> = (2..10_000).map(token).collect();
    for part in tokens.chunks(2_000) {
        let known = "/applications/sandbox/two/catalogue/known";
        make(&gateway, known, json!({ "tokens": part })).await;
    }
    end(&gateway, "one").await;
    assert_eq!(status(&gateway, &one).await, 401);
    assert_eq!(gateway.metric("sendoff_database_unreadable").await, 0);

    let text = exported(&gateway);
    assert_eq!(text.matches(".application]]\n").count(), names.len() + 2);
    assert!(imported(&text) == text, "it is imported as it was");
    drop(start(&file));
}

/// A row that this program cannot read, of a newer program or written by hand, leaves its application as it was, and that alone.
#[tokio::test]
async fn an_unreadable_row_keeps_only_its_application_as_it_was() {
    let unreadable = "sendoff_database_unreadable{application=\"two\"";
    for (breaks, can_end) in [
        (r#"'{"kind":"newer",' || substr(document, 2)"#, true),
        (r#"replace(document, '"sponsorshipEnabled":true', '"sponsorshipEnabled":"often"')"#, true),
        (r#"replace(document, '"client_swa":"0x', '"client_swa":"x')"#, true),
        (r#"replace(document, '"sha256"', '"sha1"')"#, false),
        ("x'00'", false),
    ] {
        let file = path("applications.db");
        let mut gateway = start(&file);
        let (one, two) = (open(&gateway, "one").await, open(&gateway, "two").await);
        let changed = "INSERT INTO change SELECT number + 1, 'sandbox', 'two', '{}' FROM revision; \
                       UPDATE revision SET number = number + 1";
        let set = |to: &str| format!("UPDATE application SET document = {to} WHERE name = 'two'");
        rows(&file, &format!("{}; {changed}", set(breaks))).await;
        gateway.until(unreadable, 1).await;

        // Changes of other applications are in service, and this one is as it was.
        assert_eq!(end(&gateway, "one").await.get("notInService"), None, "{breaks}");
        let three = open(&gateway, "three").await;
        let statuses = async |gateway: &Gateway| {
            let (one, two) = (status(gateway, &one).await, status(gateway, &two).await);
            [one, two, status(gateway, &three).await]
        };
        assert_eq!(statuses(&gateway).await, [401, 200, 200], "{breaks}");

        // What this program cannot read it does not change, and the end of a key says what it does not do.
        let usdc = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359";
        let step = json!({ "type": "whitelist", "caip2Id": "eip155:137", "tokenAddress": usdc });
        let steps = "/applications/sandbox/two/catalogue/steps";
        let refused = ask(&gateway, Method::POST, steps, "step-1", &step).await;
        refused.refused(400, Some("ER-TECH-0016"));
        if can_end {
            let ended = end(&gateway, "two").await;
            let why = ended["notInService"].as_str().expect("a sentence");
            assert!(why.contains("`two` of `sandbox` cannot be read"), "{why}");
            assert_eq!(status(&gateway, &two).await, 200, "as it was");
        }

        // A process starts, without it.
        let log = gateway.stop();
        assert_eq!(log.matches("an application cannot be read").count(), 1, "{log}");
        assert!(log.contains("`two` of `sandbox` cannot be read: "), "{log}");
        let gateway = start(&file);
        assert_eq!(statuses(&gateway).await, [401, 401, 200], "{breaks}");
        assert_eq!(gateway.metric(unreadable).await, 1);

        // One that can be read again is in service again, and one that is removed is gone.
        if breaks.contains("newer") {
            let mended = set(r#"replace(document, '"kind":"newer",', '')"#);
            rows(&file, &format!("{mended}; {changed}")).await;
        } else {
            change(&gateway, Method::DELETE, "/applications/sandbox/two", Value::Null).await;
        }
        gateway.until(unreadable, 0).await;
    }
}

/// A database of a newer program is refused by name, one whose tables cannot be made stays as it was, one that is no database is
/// refused, and one that is away is named at once, with its host and the cause.
#[tokio::test]
async fn a_database_that_does_not_fit_is_refused() {
    let [newer, foreign, text] = &["newer", "foreign", "text"].map(path);
    drop(start(newer));
    let team = "INSERT INTO _sqlx_migrations VALUES (7, 'teams', '2027-01-01', TRUE, x'00', 0)";
    rows(newer, team).await;
    let mine = "CREATE TABLE application (mine TEXT); INSERT INTO application VALUES ('kept')";
    rows(foreign, mine).await;
    fs::write(text, "not a database, but a text of some length").expect("a file");
    for (database, why) in [
        (&**newer, "expected tables of version 3, found 7: use the program that made them"),
        (foreign, "its tables cannot be brought to this version, and are as they were"),
        (text, "the database cannot be used"),
        ("/nowhere/at/all.db", "/nowhere/at/all.db: No such file or directory"),
        ("postgres://127.0.0.1:1/sendoff", "127.0.0.1:1: "),
        ("postgres://127.0.0.1:1/sendoff", "Connection refused"),
    ] {
        let began = Instant::now();
        let log = admin::refused(database);
        assert!(log.contains(why), "{why}: {log}");
        assert!(began.elapsed() < Duration::from_secs(5), "{why}: {:?}", began.elapsed());
    }
    let tables =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_sqlx_migrations'";
    assert_eq!(rows(foreign, tables).await, ["application"]);
}

/// Two processes on one PostgreSQL learn of each other's changes; without it, known callers are served; a newer program's tables
/// change nothing for those that run; and a backup has all.
#[tokio::test]
async fn processes_share_a_postgresql() {
    let postgres = Postgres::start();
    let database = postgres.url("postgres");
    let (one, other) = (start(&database), start(&database));

    let key = open(&one, "shop").await;
    let polygon = (200, json!([{ "network_name": "POLYGON", "chain_id": "137" }]));
    // The process that made the change knows it at once.
    assert_eq!(networks(&one, &key).await, polygon);
    until_is(&other, &key, 200).await;
    until("the other learns of it", async || networks(&other, &key).await == polygon).await;
    let id = read(&one, &format!("{SHOP}/keys")).await["keys"][0]["id"].clone();
    let at = format!("{SHOP}/keys/{}", id.as_str().expect("an id"));
    let rotated = make(&other, &format!("{at}/rotate"), json!({ "overlapSeconds": 600 })).await;
    let new = secret(&rotated);
    until_is(&one, &new, 200).await;
    assert_eq!(status(&one, &key).await, 200, "both keys are valid during the overlap");

    // A newer program brings its tables while these run.
    let newer = "ALTER TABLE application ADD COLUMN note TEXT; \
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (4, 'notes', TRUE, '', 0)";
    rows(&database, newer).await;
    let game = open(&one, "game").await;
    until_is(&other, &game, 200).await;
    let log = admin::refused(&database);
    assert!(log.contains("found 4: "), "{log}");
    rows(&database, "DELETE FROM _sqlx_migrations WHERE version = 4").await;

    // The database is lost, and comes back.
    postgres.stop();
    one.until("sendoff_database_up", 0).await;
    for gateway in [&one, &other] {
        for key in [&key, &new, &game] {
            assert_eq!(status(gateway, key).await, 200, "known callers are served");
        }
    }
    let lost = ask(&one, Method::DELETE, SHOP, "lost-1", &Value::Null).await;
    lost.refused(503, None);
    postgres.start_again();
    one.until("sendoff_database_up", 1).await;
    change(&one, Method::DELETE, &at, Value::Null).await;
    until_is(&other, &key, 401).await;

    // A backup is restored elsewhere.
    let dump = postgres.run("pg_dump", &["-d", "postgres"], "");
    postgres.run("createdb", &["restored"], "");
    postgres.run("psql", &["-q", "-d", "restored"], &dump);
    let mut restored = start(&postgres.url("restored"));
    assert_eq!((status(&restored, &new).await, status(&restored, &key).await), (200, 401));
    assert_eq!(networks(&restored, &game).await, polygon);
    assert_eq!(read(&restored, "/audit").await, read(&one, "/audit").await);
    let log = restored.stop();
    assert!(!log.contains("already exists"), "no notice of PostgreSQL: {log}");
}

/// Many applications and users: a process starts within thirty seconds, a look-up takes as long as with few, and a change is taken
/// into service. With `SENDOFF_ALL`, 10,000 applications and 100,000 users, on both databases.
#[tokio::test]
async fn many_applications_and_users() {
    let is_whole = std::env::var_os("SENDOFF_ALL").is_some();
    let applications = if is_whole { 10_000 } else { 200 };
    let postgres = is_whole.then(Postgres::start);
    let server = postgres.as_ref().map(|postgres| postgres.url("postgres"));
    for database in [path("applications.db")].into_iter().chain(server) {
        let few = start(&database);
        let key = open(&few, "one").await;
        let alone = lookups(&few, &key).await;
        // Each has ten users.
        let document = "SELECT document FROM application WHERE name = 'one'";
        let mut one: Value =
            serde_json::from_str(&rows(&database, document).await[0]).expect("JSON");
        let insert = |number: u64| {
            let user = |user: u64| json!({ "sha256": format!("{:064x}", number * 10 + user), "of": { "user": USER_SWA } });
            one["name"] = format!("app-{number}").into();
            one["keys"] = (0..10).map(user).collect();
            format!("INSERT INTO application VALUES ('sandbox', 'app-{number}', '{one}');\n")
        };
        let inserts: String = (1..=applications).map(insert).collect();
        rows(&database, &format!("BEGIN;\n{inserts}COMMIT")).await;
        drop(few);

        let began = Instant::now();
        let gateway = start(&database);
        let started = began.elapsed();
        for (metric, value) in [("applications", applications + 1), ("users", applications * 10)] {
            assert_eq!(gateway.metric(&format!("sendoff_database_{metric}")).await, value);
        }
        let lookup = lookups(&gateway, &key).await;
        let last = open(&gateway, "last").await;
        assert_eq!(status(&gateway, &last).await, 200);
        println!("{applications} applications: started in {started:?}");
        println!("a look-up takes {lookup:?} (one application: {alone:?})");
        assert!(started < Duration::from_secs(30), "{started:?}");
        assert!(lookup < alone * 5 + Duration::from_millis(5), "{lookup:?} and {alone:?}");
    }
}

/// The median time of a look-up.
async fn lookups(gateway: &Gateway, key: &str) -> Duration {
    let (client, url) = (client(), gateway.url(NETWORKS));
    let mut times = Vec::new();
    for _ in 0..500 {
        let began = Instant::now();
        assert_eq!(Reply::to(client.get(&url).header("x-api-key", key)).await.status, 200);
        times.push(began.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}
