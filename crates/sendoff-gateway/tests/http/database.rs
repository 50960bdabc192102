//! Applications in a database: SQLite in a file, and PostgreSQL with several processes.

use std::{
    fs,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection};

use crate::support::{
    Gateway, KEY, TOKEN, USER_SWA,
    admin::{self, ADMIN, ask, change, make, networks, read, run, start},
    client, config,
    postgres::Postgres,
    reply::Reply,
    split,
    wire::PATIENCE,
};

/// Waits until a key is valid at a gateway, or until it is not.
async fn until(gateway: &Gateway, key: &str, status: u16) -> Duration {
    let began = Instant::now();
    while networks(gateway, key).await.0 != status {
        assert!(began.elapsed() < PATIENCE, "expected {status} for a key");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    began.elapsed()
}

async fn sqlite(file: &str, statements: &str) {
    let mut connection =
        SqliteConnection::connect(&format!("sqlite://{file}?mode=rwc")).await.expect("a database");
    connection.execute(statements).await.expect("valid statements");
    connection.close().await.expect("a connection");
}

/// `import` takes what `export` writes, byte by byte, and nothing is lost: the applications of a file, in one database, exported,
/// imported into another and exported again are the same bytes, and serve the same callers. The same file fills a database that is
/// new, that of the memory too; later the database holds.
#[tokio::test]
async fn a_file_goes_into_the_database_and_comes_out_again() {
    let (one, other) = (admin::file(), admin::file());
    let (one, other) = (one.to_str().expect("text"), other.to_str().expect("text"));
    let file = |name: &str, text: &str| {
        let path = format!("{one}-{name}.toml");
        fs::write(&path, text).expect("the folder for temporary files can be written to");
        path
    };
    let config_file = file("config", &admin::file_of(one, "\"none\""));

    // A file of applications has nothing else, and the first problem has its line; a configuration has no applications.
    let Err(said) = run(&["import", "--config", &config_file, &config_file]) else {
        panic!("a configuration is no file of applications")
    };
    assert!(said.contains(".toml: line 1: admin: unknown field `admin`"), "{said}");
    let whole = file("whole", &config("\"none\"", "", ""));
    let Err(said) = run(&["--check", "--config", &whole]) else { panic!("applications") };
    assert!(
        said.contains("environment.sandbox.application: unknown field `application`"),
        "{said}"
    );

    let applications = file("own", &split(&config("\"none\"", "", "")).1);
    let imported = run(&["import", "--config", &config_file, &applications]).expect("an import");
    assert_eq!(
        imported,
        format!("1 applications of {applications} are in the database of {config_file}\n")
    );
    let Err(again) = run(&["import", "--config", &config_file, &applications]) else {
        panic!("an import twice")
    };
    assert!(
        again.contains("nothing was imported: `shop` of `sandbox`: name: expected a name that no"),
        "{again}"
    );

    let exported = run(&["export", "--config", &config_file]).expect("an export");
    let backup = file("exported", &exported);
    let second = file("second", &admin::file_of(other, "\"none\""));
    run(&["import", "--config", &second, &backup]).expect("what was exported can be imported");
    assert_eq!(run(&["export", "--config", &second]).expect("an export"), exported);

    let of_file = Gateway::start(&config("\"none\"", "", ""));
    let (of_database, of_export) = (start(one), start(other));
    for path in ["/api/v1/supported/networks", "/api/v1/supported/tokens"] {
        let mut replies = Vec::new();
        for gateway in [&of_file, &of_database, &of_export] {
            for request in [
                client().get(gateway.url(path)).header("x-api-key", KEY),
                client().get(gateway.url(path)).bearer_auth(TOKEN),
            ] {
                let reply = Reply::to(request).await;
                assert_eq!(reply.status, 200, "{}", reply.text);
                replies.push(reply.json()["data"].clone());
            }
        }
        assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
    }

    // The file fills a database in which nothing was changed, once.
    let third = admin::file();
    let named = format!("applications = {applications:?}\n");
    let named = named + &admin::file_of(third.to_str().expect("text"), "\"none\"");
    let mut filled = Gateway::start_with(&named, &[("ADMIN", ADMIN)]);
    assert_eq!(networks(&filled, KEY).await.0, 200);
    change(&filled, Method::DELETE, "/applications/sandbox/shop", Value::Null).await;
    assert!(filled.stop().contains("it was new, and is filled with 1 of "));
    let mut later = Gateway::start_with(&named, &[("ADMIN", ADMIN)]);
    assert_eq!(networks(&later, KEY).await.0, 401, "the database holds");
    assert!(later.stop().contains("it has changes, so "));
    let memory = file("memory", &split(&config("\"none\"", "", "")).0);
    let Err(said) = run(&["export", "--config", &memory]) else { panic!("no database") };
    assert!(said.contains("expected a database in the configuration"), "{said}");
}

/// A backup of everything that the API can make is imported again: a policy, origins without `cors`, odd names, nothing at all.
#[tokio::test]
async fn what_the_api_makes_is_exported_and_imported() {
    let names = ["a b", "a-b", "(x)", "z'", "a/b", "e\u{301}", "\u{5e97}"];
    let file = admin::file();
    let file = file.to_str().expect("text");
    let gateway = start(file);
    let exported = |gateway: &Gateway| {
        let config = gateway.file.to_str().expect("text");
        run(&["export", "--config", config]).expect("an export")
    };
    let imported = |text: &str| {
        let (database, path) = (admin::file(), format!("{file}-backup.toml"));
        let other = start(database.to_str().expect("text"));
        fs::write(&path, text).expect("a file");
        run(&["import", "--config", other.file.to_str().expect("text"), &path])
            .expect("what was exported can be imported");
        exported(&other)
    };
    assert_eq!(imported(&exported(&gateway)), exported(&gateway), "nothing");

    for (number, name) in names.iter().enumerate() {
        let mut draft = json!({ "environment": "sandbox", "name": name });
        draft["clientSWA"] = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F".into();
        draft["origins"] = if number % 2 == 0 { json!("*") } else { json!(["https://a.example"]) };
        draft["policy"] = if number % 3 == 0 {
            json!("none")
        } else {
            json!({ "limit": 2_097_151, "windowMs": 1_000, "dayOffsetMinutes": -720, "midnight": "carry", "holdMs": 7 })
        };
        change(&gateway, Method::POST, "/applications", draft).await;
    }
    let text = exported(&gateway);
    assert_eq!(text.matches(".application]]\n").count(), names.len(), "{text}");
    assert_eq!(imported(&text), text);
}

/// A row that this program cannot read, of a newer program or written by hand, leaves its application as it was, and that alone.
#[tokio::test]
async fn an_unreadable_row_keeps_only_its_application_as_it_was() {
    let unreadable = "sendoff_database_unreadable{application=\"two\"";
    for (breaks, can_end) in [
        (r#"'{"kind":"newer",' || substr(document, 2)"#, true),
        (r#"replace(document, '"gsn_enabled":false', '"gsn_enabled":"often"')"#, true),
        (r#"replace(document, '"client_swa":"0x', '"client_swa":"x')"#, true),
        (r#"replace(document, '"sha256"', '"sha1"')"#, false),
        ("x'00'", false),
    ] {
        let file = admin::file();
        let file = file.to_str().expect("text");
        let mut gateway = start(file);
        let (one, two) = (make(&gateway, "one").await, make(&gateway, "two").await);
        let changed = "INSERT INTO change SELECT number + 1, 'sandbox', 'two', '{}' FROM revision; \
                       UPDATE revision SET number = number + 1";
        let set = |to: &str| format!("UPDATE application SET document = {to} WHERE name = 'two'");
        sqlite(file, &format!("{}; {changed}", set(breaks))).await;
        gateway.until(unreadable, 1).await;

        // Changes of other applications are in service, and this one is as it was.
        let end = async |application: &str| {
            let at = format!("/applications/sandbox/{application}");
            let keys = read(&gateway, &at).await["keys"].clone();
            let id = keys[0]["id"].as_str().expect("an id").to_owned();
            change(&gateway, Method::DELETE, &format!("{at}/keys/{id}"), Value::Null).await
        };
        assert_eq!(end("one").await.get("notInService"), None, "{breaks}");
        assert_eq!(networks(&gateway, &one).await.0, 401, "{breaks}");
        let three = make(&gateway, "three").await;
        assert_eq!(
            (networks(&gateway, &three).await.0, networks(&gateway, &two).await.0),
            (200, 200)
        );

        // What this program cannot read it does not change, and the end of a key says what it does not do.
        let step = json!({ "type": "enable", "caip2Id": "eip155:80002" });
        let steps = "/applications/sandbox/two/catalogue/steps";
        let refused = ask(&gateway, Method::POST, steps, "step-1", &step).await;
        refused.refused(400, Some("ER-TECH-0016"));
        if can_end {
            let ended = end("two").await;
            let why = ended["notInService"].as_str().expect("a sentence");
            assert!(why.contains("`two` of `sandbox` cannot be read"), "{why}");
            assert_eq!(networks(&gateway, &two).await.0, 200, "as it was");
        }

        // A process starts, without it.
        let log = gateway.stop();
        assert_eq!(log.matches("an application cannot be read").count(), 1, "{log}");
        assert!(log.contains("`two` of `sandbox` cannot be read: "), "{log}");
        let gateway = start(file);
        assert_eq!(
            (networks(&gateway, &three).await.0, networks(&gateway, &two).await.0),
            (200, 401)
        );
        assert_eq!(gateway.metric(unreadable).await, 1);

        // One that can be read again is in service again, and one that is removed is gone.
        if breaks.contains("newer") {
            let mended = set(r#"replace(document, '"kind":"newer",', '')"#);
            sqlite(file, &format!("{mended}; {changed}")).await;
        } else {
            change(&gateway, Method::DELETE, "/applications/sandbox/two", Value::Null).await;
        }
        gateway.until(unreadable, 0).await;
    }
}

/// A catalogue that is permitted can be read: the largest one, by the API and by an import.
#[tokio::test]
async fn the_largest_catalogue_is_read_again() {
    let file = admin::file();
    let file = file.to_str().expect("text");
    let gateway = start(file);
    let (one, _two) = (make(&gateway, "one").await, make(&gateway, "two").await);
    let tokens: Vec<_> = (2..10_000)
        .map(|number| {
            let name = format!("{number:06}{}", "\u{1f600}".repeat(58));
            json!({ "caip2Id": "eip155:137", "tokenAddress": format!("0x{:040x}", 1_000_000 + number), "name": name })
        })
        .collect();
    for part in tokens.chunks(2_000) {
        let known = "/applications/sandbox/two/catalogue/known";
        change(&gateway, Method::POST, known, json!({ "tokens": part })).await;
    }
    let keys = read(&gateway, "/applications/sandbox/one/keys").await;
    let id = keys["keys"][0]["id"].as_str().expect("an id");
    change(&gateway, Method::DELETE, &format!("/applications/sandbox/one/keys/{id}"), Value::Null)
        .await;
    assert_eq!(networks(&gateway, &one).await.0, 401);
    assert_eq!(gateway.metric("sendoff_database_unreadable").await, 0);

    let (backup, other) = (format!("{file}-backup.toml"), admin::file());
    let exported =
        run(&["export", "--config", gateway.file.to_str().expect("text")]).expect("an export");
    fs::write(&backup, &exported).expect("a file");
    let other = start(other.to_str().expect("text"));
    run(&["import", "--config", other.file.to_str().expect("text"), &backup]).expect("an import");
    other.until("sendoff_database_applications", 2).await;
    drop(start(file));
}

/// A database of a newer program is refused by name, one whose tables cannot be made stays as it was, and one that is no
/// database is refused.
#[tokio::test]
async fn a_database_that_does_not_fit_is_refused() {
    let fails = |file: &str| {
        let Err(log) = Gateway::try_start(&admin::file_of(file, "\"none\""), &[("ADMIN", ADMIN)])
        else {
            panic!("it starts")
        };
        log
    };
    let newer = admin::file();
    let newer = newer.to_str().expect("text");
    drop(start(newer));
    sqlite(
        newer,
        "INSERT INTO _sqlx_migrations VALUES (7, 'teams of users', '2027-01-01', TRUE, x'00', 0)",
    )
    .await;
    let log = fails(newer);
    assert!(
        log.contains("expected tables of version 3, found 7: use the program that made them"),
        "{log}"
    );

    let foreign = admin::file();
    let foreign = foreign.to_str().expect("text");
    sqlite(
        foreign,
        "CREATE TABLE application (mine TEXT); INSERT INTO application VALUES ('kept')",
    )
    .await;
    let log = fails(foreign);
    assert!(
        log.contains("its tables cannot be brought to this version, and are as they were"),
        "{log}"
    );
    let mut connection =
        SqliteConnection::connect(&format!("sqlite://{foreign}")).await.expect("a database");
    let tables =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_sqlx_migrations'";
    let tables: Vec<String> =
        sqlx::query_scalar(tables).fetch_all(&mut connection).await.expect("tables");
    assert_eq!(tables, ["application"]);

    let text = admin::file();
    fs::write(&text, "not a database, but a text of some length").expect("a file");
    assert!(fails(text.to_str().expect("text")).contains("the database cannot be used"));
    let log = fails("/nowhere/at/all.db");
    assert!(log.contains("/nowhere/at/all.db: No such file or directory"), "{log}");
}

/// Two processes on one PostgreSQL learn of each other's changes; without it, known callers are served; a newer program's tables
/// change nothing for those that run; and a backup has all.
#[tokio::test]
async fn processes_share_a_postgresql() {
    let mut postgres = Postgres::start();
    let database = postgres.url("postgres");
    let (one, other) = (start(&database), start(&database));

    let key = make(&one, "shop").await;
    let polygon = json!([{ "network_name": "POLYGON", "chain_id": "137" }]);
    assert_eq!(
        networks(&one, &key).await,
        (200, polygon.clone()),
        "the process that made the change knows it at once"
    );
    until(&other, &key, 200).await;
    let began = Instant::now();
    while networks(&other, &key).await.1 != polygon {
        assert!(began.elapsed() < PATIENCE, "the other process learns of the chain");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let keys = read(&one, "/applications/sandbox/shop/keys").await;
    let id = keys["keys"][0]["id"].as_str().expect("an id");
    let rotate = format!("/applications/sandbox/shop/keys/{id}/rotate");
    let rotated = change(&other, Method::POST, &rotate, json!({ "overlapSeconds": 600 })).await;
    let new = rotated["secret"].as_str().expect("a key").to_owned();
    until(&one, &new, 200).await;
    assert_eq!(networks(&one, &key).await.0, 200, "both keys are valid during the overlap");

    // A newer program brings its tables while these run.
    let mut connection = PgConnection::connect(&database).await.expect("a database");
    let newer = "ALTER TABLE application ADD COLUMN note TEXT; \
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (4, 'notes', TRUE, '', 0)";
    connection.execute(newer).await.expect("valid statements");
    let game = make(&one, "game").await;
    until(&other, &game, 200).await;
    let Err(log) = Gateway::try_start(&admin::file_of(&database, "\"none\""), &[("ADMIN", ADMIN)])
    else {
        panic!("it starts with tables of a newer program")
    };
    assert!(log.contains("found 4: "), "{log}");
    connection
        .execute("DELETE FROM _sqlx_migrations WHERE version = 4")
        .await
        .expect("valid statements");
    connection.close().await.expect("a connection");

    // The database is lost, and comes back.
    postgres.stop();
    one.until("sendoff_database_up", 0).await;
    for gateway in [&one, &other] {
        for key in [&key, &new, &game] {
            assert_eq!(networks(gateway, key).await.0, 200, "known callers are served");
        }
    }
    let lost =
        ask(&one, Method::DELETE, "/applications/sandbox/game", "lost-1", &Value::Null).await;
    lost.refused(503, None);
    postgres.start_again();
    one.until("sendoff_database_up", 1).await;
    let end = format!("/applications/sandbox/shop/keys/{id}");
    change(&one, Method::DELETE, &end, Value::Null).await;
    until(&other, &key, 401).await;

    // A backup is restored elsewhere.
    let dump = postgres.run("pg_dump", &["-d", "postgres"], None);
    let file = admin::file();
    fs::write(&file, dump).expect("a file");
    postgres.run("createdb", &["restored"], None);
    postgres.run("psql", &["-q", "-d", "restored"], Some(&file));
    let restored = start(&postgres.url("restored"));
    assert_eq!((networks(&restored, &new).await.0, networks(&restored, &key).await.0), (200, 401));
    assert_eq!(networks(&restored, &game).await, (200, polygon));
    let changes =
        async |gateway| read(gateway, "/audit").await["changes"].as_array().expect("changes").len();
    assert_eq!(changes(&restored).await, changes(&one).await);
}

/// A copy of the file, made while a process runs, is a backup.
#[tokio::test]
async fn a_file_is_copied_while_a_process_runs() {
    let (file, copy) = (admin::file(), admin::file());
    let (file, copy) = (file.to_str().expect("text"), copy.to_str().expect("text"));
    let gateway = start(file);
    let key = make(&gateway, "shop").await;
    sqlite(file, &format!("VACUUM INTO '{copy}'")).await;
    change(&gateway, Method::DELETE, "/applications/sandbox/shop", Value::Null).await;
    assert_eq!(networks(&gateway, &key).await.0, 401);
    let restored = start(copy);
    assert_eq!(networks(&restored, &key).await.0, 200);
}

/// Many applications and users: a process starts within five seconds, a look-up takes as long as with few, and a change is taken
/// into service. With `SENDOFF_ALL`, 10,000 applications and 100,000 users, on both databases.
#[tokio::test]
async fn many_applications_and_users() {
    let (applications, is_whole) =
        if std::env::var_os("SENDOFF_ALL").is_some() { (10_000, true) } else { (200, false) };
    let file = admin::file();
    let file = file.to_str().expect("text").to_owned();
    let few = start(&file);
    let key = make(&few, "one").await;
    let alone = lookups(&few, &key).await;
    drop(few);

    let mut connection =
        SqliteConnection::connect(&format!("sqlite://{file}")).await.expect("a database");
    let document: String =
        sqlx::query_scalar(DOCUMENT).fetch_one(&mut connection).await.expect("a document");
    connection.execute(&*fill(&document, applications)).await.expect("valid statements");
    connection.close().await.expect("a connection");
    measure("SQLite", &file, &key, applications, alone).await;

    if is_whole {
        let postgres = Postgres::start();
        let database = postgres.url("postgres");
        let first = start(&database);
        let key = make(&first, "one").await;
        drop(first);
        let mut connection = PgConnection::connect(&database).await.expect("a database");
        connection.execute(&*fill(&document, applications)).await.expect("valid statements");
        measure("PostgreSQL", &database, &key, applications, alone).await;
    }
}

const DOCUMENT: &str = "SELECT document FROM application WHERE name = 'one'";

/// Statements that add applications, each with a catalogue of its own and ten users.
fn fill(document: &str, applications: u64) -> String {
    let mut one: Value = serde_json::from_str(document).expect("JSON");
    one["keys"] = json!([]);
    let insert = |number: u64| {
        let user = |user: u64| json!({ "token": { "sha256": format!("{:064x}", number * 10 + user) }, "user_swa": USER_SWA });
        one["name"] = format!("app-{number}").into();
        one["chain"][0]["tokens"][1]["name"] = format!("USDC {number}").into();
        one["user"] = (0..10).map(user).collect();
        format!("INSERT INTO application VALUES ('sandbox', 'app-{number}', '{one}');\n")
    };
    (1..=applications).map(insert).collect()
}

/// The median time of a look-up.
async fn lookups(gateway: &Gateway, key: &str) -> Duration {
    let (client, url) = (client(), gateway.url("/api/v1/supported/networks"));
    let mut times = Vec::new();
    for _ in 0..500 {
        let began = Instant::now();
        let reply = Reply::to(client.get(&url).header("x-api-key", key)).await;
        assert_eq!(reply.status, 200);
        times.push(began.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

async fn measure(name: &str, database: &str, key: &str, applications: u64, alone: Duration) {
    let began = Instant::now();
    let gateway = start(database);
    let started = began.elapsed();
    assert_eq!(gateway.metric("sendoff_database_applications").await, applications + 1);
    assert_eq!(gateway.metric("sendoff_database_users").await, applications * 10);
    let status = fs::read_to_string(format!("/proc/{}/status", gateway.id())).unwrap_or_default();
    let memory =
        status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default().to_owned();
    let lookup = lookups(&gateway, key).await;
    let began = Instant::now();
    let last = make(&gateway, "last").await;
    let made = began.elapsed();
    assert_eq!(networks(&gateway, &last).await.0, 200);
    println!(
        "{name}: {applications} applications, {} users: started in {started:?}, {memory}, a look-up takes {lookup:?} (one application: \
         {alone:?}), four changes {made:?}",
        applications * 10
    );
    assert!(started < Duration::from_secs(30), "{started:?}");
    assert!(lookup < alone * 5 + Duration::from_millis(5), "{lookup:?} and {alone:?}");
}
