//! The laws of the core, each subject a module: one program, because each program has to be linked.

mod account;
mod alloy;
mod call_data;
mod catalogue;
mod contract_call;
mod corpus;
mod documents;
mod estimate;
mod hash;
mod json;
mod memory;
mod odd_inputs;
mod rate_limit;
mod schema;
mod service;
mod small;
mod sources;
mod submission;
mod values;
