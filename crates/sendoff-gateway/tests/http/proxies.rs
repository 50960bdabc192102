//! The caller's address behind trusted proxies. The header of any other peer changes nothing.

use crate::support::prelude::*;

/// The address in the log is that of the header of a trusted proxy; which one of a list, the units of `request::forwarded` say.
#[tokio::test]
async fn other_peers_name_nobody() {
    let callers = [
        ("x-forwarded-for", "203.0.113.7, 192.0.2.1"),
        ("x-forwarded-for", "2001:db8::5"),
        ("forwarded", "for=192.0.2.1"),
        ("x-real-ip", "192.0.2.1"),
    ];
    let proxy = "127.0.0.1";
    for (head, expected) in [
        (r#"proxies = ["127.0.0.0/8"]"#, ["192.0.2.1", "2001:db8::", proxy, proxy]),
        (r#"proxies = ["10.0.0.0/8", "::1"]"#, [proxy; 4]),
        ("", [proxy; 4]),
    ] {
        let mut gateway = Gateway::plain(head, "");
        for caller in callers {
            gateway.call("GET /api/v1/supported/networks", &[USER, caller], "").await.data();
        }
        let lines = requests(&gateway.stop());
        let found: Vec<_> = lines.iter().map(|line| &line["address"]).collect();
        assert_eq!(found, expected, "{head}");
    }
}
