//! nginx with the file of `deploy`, unchanged but for ports, folders and the certificate.

use crate::support::prelude::*;

pub(crate) struct Nginx {
    process: Process,
    pub(crate) plain: String,
    pub(crate) tls: String,
}

impl Nginx {
    /// Starts nginx in front of a gateway; `None` where it cannot run. With `takes_proxy` it is behind a balancer that names
    /// its callers by PROXY.
    pub(crate) fn start(gateway: &str, certified: &Folder, takes_proxy: bool) -> Option<Self> {
        let has_stream = PathBuf::from("/usr/lib/nginx/modules/ngx_stream_module.so").exists();
        if !has_stream || !rustix::process::geteuid().is_root() {
            return None;
        }
        let [plain, tls] = [(); 2].map(|()| free());
        let port = |address: &str| address.rsplit_once(':').expect("a port").1.to_owned();
        let folder = Folder::new("edge");
        let own = |name: &str| folder.0.join(name).display().to_string();
        let pem = |name: &str| certified.0.join(name).display().to_string();
        let file = include_str!("../../deploy/nginx.conf")
            .replace("PLAIN_PORT", &port(&plain))
            .replace("TLS_PORT", &port(&tls))
            .replace("GATEWAY_PORT", &port(gateway))
            .replace("CERTIFICATE;", &pem("certificate.pem;"))
            .replace("KEY;", &pem("key.pem;"))
            .replace("/run/sendoff-edge/", &own(""))
            .replace("/run/nginx.pid", &own("pid"))
            .replace("/var/log/nginx/", &own(""));
        let file = if takes_proxy {
            file.replace(" backlog=4096 so_keepalive", " proxy_protocol backlog=4096 so_keepalive")
                .replace("proxy_protocol on;", "proxy_protocol on; set_real_ip_from 127.0.0.0/8;")
        } else {
            file
        };
        folder.write("nginx.conf", file);

        let mut nginx = Command::new("nginx");
        nginx.args(["-c", &own("nginx.conf"), "-g", "daemon off;"]).stdout(Stdio::null());
        let edge = Self { process: Process::start(&mut nginx), plain, tls };
        wait("nginx listens", || {
            [&edge.plain, &edge.tls].iter().all(|address| TcpStream::connect(address).is_ok())
        });
        Some(edge)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGKILL would leave its workers.
        self.process.signal("TERM");
        self.process.ended();
    }
}
