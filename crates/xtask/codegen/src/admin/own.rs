//! The definitions of the admin API that the core does not have.

use serde_json::{Value, json};

/// The definitions that only the admin API has.
pub(super) fn own() -> Value {
    let of = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let text = || json!({ "type": "string" });
    let flag = || json!({ "type": "boolean" });
    let time = || json!({ "type": "integer", "description": "In milliseconds since 1970." });
    let list = |item: Value| json!({ "type": "array", "items": item });
    let policy = json!({ "oneOf": [{ "enum": ["production", "none"] }, of("Policy")] });
    let origins = json!({ "oneOf": [{ "const": "*" }, list(text())] });
    let id = json!({ "type": "string", "pattern": "^[0-9a-f]{16}$" });
    let wallet = json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{40}$" });
    let kind = json!({ "enum": ["client", "server", "user"] });
    let late = json!({
        "type": "string",
        "description": "Why the change is in the database and not in service at this process; absent if it is in service.",
    });

    json!({
        "Nothing": object(&[], json!({ "notInService": late })),
        "Changed": object(&["changed"], json!({ "changed": flag(), "notInService": late })),
        "Session": object(&["name", "environments", "version"], json!({
            "name": text(), "environments": list(text()), "version": text(),
        })),
        "Known": object(&["catalogue", "sponsorship"], json!({
            "catalogue": of("Catalogue"), "sponsorship": list(of("ChainPolicies")),
        })),
        "Applications": object(&["applications"], json!({ "applications": list(of("ApplicationName")) })),
        "ApplicationName": object(&["environment", "name"], json!({
            "environment": text(), "name": text(), "notInService": late,
        })),
        "Draft": object(&["environment", "name", "clientSWA"], json!({
            "environment": text(),
            "name": { "type": "string", "minLength": 1, "maxLength": 64 },
            "clientSWA": wallet,
            "policy": policy,
            "origins": origins,
            "disable": { "enum": ["never", "allowed"] },
            "catalogue": of("Catalogue"),
        })),
        "Alteration": object(&[], json!({
            "clientSWA": wallet,
            "policy": { "oneOf": [{ "enum": ["production", "none"] }, { "type": "null" }, of("Policy")] },
            "origins": { "oneOf": [{ "enum": ["*"] }, { "type": "null" }, list(text())] },
        })),
        "Application": object(
            &["environment", "name", "clientSWA", "catalogue", "sponsorship", "keys", "users", "refusals"],
            json!({
                "environment": text(), "name": text(), "clientSWA": wallet, "catalogue": of("Catalogue"),
                "sponsorship": list(of("ChainPolicies")), "keys": list(of("Key")),
                "users": { "type": "integer" }, "refusals": list(of("Refused")),
                "policy": policy, "origins": origins, "window": of("Window"),
            }),
        ),
        "Window": object(&["policy"], json!({
            "policy": of("Policy"),
            "next": {
                "type": "object",
                "description": "What the next call would be told. With a shared store: what the last call of this process was told.",
            },
        })),
        "Refused": object(&["at", "operation", "status", "reason", "traceId"], json!({
            "at": time(), "operation": text(), "status": { "type": "integer" }, "reason": text(),
            "issue": text(), "traceId": text(),
        })),
        "Keys": object(&["keys"], json!({ "keys": list(of("Key")) })),
        "Users": object(&["users"], json!({ "users": list(of("Key")) })),
        "Key": object(&["id", "kind", "madeAt"], json!({
            "id": id, "kind": kind, "madeAt": time(), "endsAt": time(), "userSWA": wallet,
        })),
        "KeyDraft": object(&["side"], json!({ "side": { "enum": ["client", "server"] } })),
        "UserDraft": object(&["userSWA"], json!({ "userSWA": wallet })),
        "Overlap": object(&["overlapSeconds"], json!({
            "overlapSeconds": { "type": "integer", "minimum": 0, "maximum": 7_776_000 },
        })),
        "NewKey": object(&["id", "kind", "madeAt"], json!({
            "id": id, "kind": kind, "madeAt": time(), "endsAt": time(), "userSWA": wallet, "replaces": id, "notInService": late,
            "secret": { "type": "string", "description": "The key or token. It is shown once: a repeated request has none." },
        })),
        "More": object(&[], json!({
            "chains": list(of("KnownChain")), "tokens": list(of("KnownToken")), "collections": list(of("KnownCollection")),
        })),
        "Sponsorship": object(&[], json!({
            "gsnEnabled": flag(), "sponsorshipEnabled": flag(), "transactionFee": text(),
        })),
        "ChainPolicies": object(&["caip2Id", "gsnEnabled", "sponsorshipEnabled"], json!({
            "caip2Id": of("ChainId"), "gsnEnabled": flag(), "sponsorshipEnabled": flag(), "transactionFee": text(),
        })),
        "Changes": object(&["changes"], json!({ "changes": list(of("Change")) })),
        "Change": object(&["revision", "madeAt", "by", "environment", "application", "action", "about"], json!({
            "revision": { "type": "integer" }, "madeAt": time(), "by": text(), "environment": text(),
            "application": text(), "action": text(), "about": { "type": "object" },
        })),
    })
}

fn object(required: &[&str], properties: Value) -> Value {
    let mut object = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}
