/// What a host does with a header of a request before it forwards the call to its backend. A backend trusts its host, so what a
/// caller wrote in the name of a proxy must not reach it.
///
/// ```
/// use sendoff::http::Onward;
///
/// assert_eq!(Onward::of("authorization"), Onward::Needed);
/// assert_eq!(Onward::of("x-consumer-username"), Onward::OfProxies);
/// assert_eq!(Onward::of("X-Middleware-Subrequest"), Onward::OfTargets);
/// assert_eq!(Onward::of("x-shop-campaign"), Onward::Other);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// The backend needs it to identify callers, read bodies and trace calls. A `connection` that names it would drop it on the way.
    Needed,
    /// It is of one connection (RFC 9110, section 7.6.1), or for this hop alone.
    HopByHop,
    /// Proxies, gateways and platforms name or identify their callers in it.
    OfProxies,
    /// Some backends use it as the target, the host, the method or the file, or skip a check because of it.
    OfTargets,
    /// Any other header goes on.
    Other,
}

/// Names, and how others begin. Both are in lower case with `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderNames {
    /// Whole names.
    pub names: &'static [&'static str],
    /// The first characters of others.
    pub beginnings: &'static [&'static str],
}

impl HeaderNames {
    fn contain(self, name: &str) -> bool {
        self.names.contains(&name) || self.beginnings.iter().any(|begin| name.starts_with(begin))
    }
}

impl Onward {
    /// Looks up a header by its name, in any letter case. `_` counts as `-`, because CGI and similar interfaces map both to one.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let plain = name.to_ascii_lowercase().replace('_', "-");
        [Self::Needed, Self::HopByHop, Self::OfTargets, Self::OfProxies]
            .into_iter()
            .find(|kind| kind.names().contain(&plain))
            .unwrap_or(Self::Other)
    }

    /// The names of a kind; none of [`Onward::Other`].
    #[must_use]
    pub const fn names(self) -> HeaderNames {
        let (names, beginnings): (&[&str], &[&str]) = match self {
            Self::Needed => (&NEEDED, &[]),
            Self::HopByHop => (&HOP_BY_HOP, &[]),
            Self::OfProxies => (&OF_PROXIES, &OF_PROXIES_BEGIN),
            Self::OfTargets => (&OF_TARGETS, &OF_TARGETS_BEGIN),
            Self::Other => (&[], &[]),
        };
        HeaderNames { names, beginnings }
    }
}

const NEEDED: [&str; 16] = [
    "accept",
    "accept-encoding",
    "authorization",
    "cache-control",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "host",
    "traceparent",
    "tracestate",
    "user-agent",
    "x-api-key",
    "x-request-id",
];

const HOP_BY_HOP: [&str; 10] = [
    "connection",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Addresses, names and roles of callers, and whether the connection was encrypted.
const OF_PROXIES: [&str; 27] = [
    "cf-pseudo-ipv4",
    "client-ip",
    "do-connecting-ip",
    "eppn",
    "fastly-client-ip",
    "forwarded",
    "front-end-https",
    "incap-client-ip",
    "sm-user",
    "true-client-ip",
    "x-anonymous-consumer",
    "x-arr-clientcert",
    "x-arr-ssl",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-proxyuser-ip",
    "x-real-ip",
    "x-real-port",
    "x-scheme",
    "x-source-ip",
    "x-sucuri-clientip",
    "x-true-client-ip",
    "x-url-scheme",
    "x-user",
    "x-user-id",
    "x-userinfo",
    "x-username",
];

/// Kong (`x-consumer-`, `x-credential-`, `x-authenticated-`), WSO2 (`x-jwt-`), Google (`x-goog-`, `x-endpoint-api-`, `x-appengine-`),
/// AWS (`x-amzn-…`, `x-apigateway-`, `cloudfront-viewer-`), Azure (`x-ms-…`, `x-azure-`), Cloudflare, Fly, Netlify, Vercel, Akamai,
/// Tyk, Gravitee, Apigee, APISIX, Envoy, oauth2-proxy, Authelia (`remote-`), Authentik, Pomerium, Tailscale, Teleport, Shibboleth,
/// WebLogic, and certificates of callers (RFC 9440 and before).
const OF_PROXIES_BEGIN: [&str; 44] = [
    "akamai-",
    "cf-access-",
    "cf-connecting-",
    "client-cert",
    "cloudfront-viewer-",
    "fly-",
    "proxy-client-",
    "remote-",
    "shib-",
    "ssl-client-",
    "tailscale-",
    "teleport-",
    "wl-proxy-",
    "x-akamai-",
    "x-amzn-mtls-",
    "x-amzn-oidc-",
    "x-apigateway-",
    "x-apigee-",
    "x-apisix-",
    "x-appengine-",
    "x-auth-request-",
    "x-authenticated-",
    "x-authentik-",
    "x-azure-",
    "x-client-cert",
    "x-consumer-",
    "x-credential-",
    "x-endpoint-api-",
    "x-envoy-",
    "x-forwarded",
    "x-goog-",
    "x-gravitee-",
    "x-jwt-",
    "x-ms-client-",
    "x-ms-token-",
    "x-nf-",
    "x-original-",
    "x-pomerium-",
    "x-remote-",
    "x-shib-",
    "x-ssl-",
    "x-tyk-",
    "x-vercel-",
    "x-webauth-",
];

/// `proxy` is what CGI programs use as an address (httpoxy); `x-sendfile-type` and `x-accel-mapping` choose a file in Rack.
const OF_TARGETS: [&str; 15] = [
    "proxy",
    "x-accel-mapping",
    "x-host",
    "x-http-destinationurl",
    "x-http-host-override",
    "x-http-method",
    "x-http-method-override",
    "x-http-path-override",
    "x-method-override",
    "x-original-host",
    "x-original-method",
    "x-original-path",
    "x-original-uri",
    "x-original-url",
    "x-sendfile-type",
];

/// `x-middleware-` is what Next.js says to itself: `x-middleware-subrequest` skipped its checks (CVE-2025-29927).
const OF_TARGETS_BEGIN: [&str; 2] = ["x-middleware-", "x-rewrite-"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_list() {
        for kind in [Onward::Needed, Onward::HopByHop, Onward::OfTargets, Onward::OfProxies] {
            let HeaderNames { names, beginnings } = kind.names();
            for name in names.iter().chain(beginnings) {
                assert_eq!(Onward::of(name), kind, "{name}");
                assert!(name.bytes().all(|byte| byte == b'-'
                    || byte.is_ascii_lowercase()
                    || byte.is_ascii_digit()));
            }
        }
    }
}
