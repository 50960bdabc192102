//! nginx with the file of `deploy`, unchanged but for ports, folders and the certificate.

use super::{Pair, support::Folder};
use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

pub(crate) struct Nginx {
    child: Child,
    _folder: Folder,
    pub(crate) plain: SocketAddr,
    pub(crate) tls: SocketAddr,
}

impl Nginx {
    /// Starts nginx in front of a gateway; `None` where it cannot run. With `takes_proxy` it is behind a balancer that names
    /// its callers by PROXY.
    pub(crate) fn start(gateway: &str, pair: &Pair, takes_proxy: bool) -> Option<Self> {
        let has_stream = PathBuf::from("/usr/lib/nginx/modules/ngx_stream_module.so").exists();
        if !has_stream || !rustix::process::geteuid().is_root() {
            return None;
        }
        let ports = [free(), free()];
        let folder = Folder::new("edge");
        let own = |name: &str| folder.0.join(name).display().to_string();
        let [certificate, key] = pair.files.each_ref().map(|file| file.display().to_string());
        let (_, port) = gateway.rsplit_once(':').expect("a port");
        let file = include_str!("../../deploy/nginx.conf")
            .replace("PLAIN_PORT", &ports[0].port().to_string())
            .replace("TLS_PORT", &ports[1].port().to_string())
            .replace("GATEWAY_PORT", port)
            .replace("ssl_certificate CERTIFICATE", &format!("ssl_certificate {certificate}"))
            .replace("ssl_certificate_key KEY", &format!("ssl_certificate_key {key}"))
            .replace("/run/sendoff-edge/", &own(""))
            .replace("/run/nginx.pid", &own("pid"))
            .replace("/var/log/nginx/", &own(""));
        let file = if takes_proxy {
            file.replace(" backlog=4096 so_keepalive", " proxy_protocol backlog=4096 so_keepalive")
                .replace("proxy_protocol on;", "proxy_protocol on; set_real_ip_from 127.0.0.0/8;")
        } else {
            file
        };
        folder.write("nginx.conf", &file);

        let mut nginx = Command::new("nginx");
        nginx.args(["-c", &own("nginx.conf"), "-g", "daemon off;"]);
        let child = nginx.stdout(Stdio::null()).spawn().expect("nginx runs");
        let edge = Self { child, _folder: folder, plain: ports[0], tls: ports[1] };
        let began = Instant::now();
        while ports.iter().any(|port| TcpStream::connect(port).is_err()) {
            assert!(began.elapsed() < Duration::from_secs(10), "nginx does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        Some(edge)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGKILL would leave its workers.
        let _stopped = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ended = self.child.wait();
    }
}

fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address")
}
