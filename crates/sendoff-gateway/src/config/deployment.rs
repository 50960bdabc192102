//! The deployment of an environment in a file, and the bundler that knows its gas limits.

use sendoff::estimate::GasLimits;

use super::{
    Bundler, Deployment, OnBundlerLoss,
    read::{milliseconds, ms, one_of},
    secret::Variables,
    toml::Place,
    url::{secret_url, url},
};

pub(super) fn bundler(place: &Place<'_>, variables: Variables<'_>) -> Option<Bundler> {
    let mut table = place.table()?;
    let url = table.required("url").and_then(|place| {
        if place.is_table() { secret_url(&place, variables) } else { url(&place) }
    });
    let timeout = milliseconds(&mut table, "ms", ms(2_000));
    let on_loss = table.required("on_loss").and_then(|place| {
        one_of(&place, &[("file", OnBundlerLoss::File), ("refuse", OnBundlerLoss::Refuse)])
    });
    let entry_point = table.required("entry_point").and_then(|place| place.parsed());
    table.close();
    Some(Bundler { url: url?, timeout: timeout?, on_loss: on_loss?, entry_point: entry_point? })
}

pub(super) fn deployment(place: &Place<'_>) -> Option<Deployment> {
    let mut table = place.table()?;
    let job_manager = table.required("job_manager").and_then(|place| place.parsed());
    let paymaster = table.required("paymaster").and_then(|place| place.parsed());

    let gas_limits = table.required("gas_limits").and_then(|place| {
        let mut table = place.table()?;
        let call = table.required("call").and_then(|place| place.parsed());
        let verification = table.required("verification").and_then(|place| place.parsed());
        let pre_verification = table.required("pre_verification").and_then(|place| place.parsed());
        let paymaster_verification =
            table.required("paymaster_verification").and_then(|place| place.parsed());
        let paymaster_post_op =
            table.required("paymaster_post_op").and_then(|place| place.parsed());
        table.close();
        Some(GasLimits {
            call_gas_limit: call?,
            verification_gas_limit: verification?,
            pre_verification_gas: pre_verification?,
            paymaster_verification_gas_limit: paymaster_verification?,
            paymaster_post_op_gas_limit: paymaster_post_op?,
        })
    });
    table.close();

    Some(Deployment { job_manager: job_manager?, paymaster: paymaster?, gas_limits: gas_limits? })
}
