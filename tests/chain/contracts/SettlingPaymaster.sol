// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Paymaster} from "./Paymaster.sol";
import {PackedUserOperation} from "./PackedUserOperation.sol";

/// A paymaster with work after the call, for which the operation has gas of its own.
contract SettlingPaymaster is Paymaster {
    /// How many operations of each account were settled.
    mapping(address account => uint256) public settled;

    constructor(address entryPoint_, address clientSWA_, address clientKey_)
        Paymaster(entryPoint_, clientSWA_, clientKey_)
    {}

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 hash, uint256 cost)
        public
        view
        override
        returns (bytes memory context, uint256 validationData)
    {
        (, validationData) = super.validatePaymasterUserOp(op, hash, cost);
        context = abi.encode(op.sender);
    }

    /// ERC-4337's `IPaymaster`.
    function postOp(uint8, bytes calldata context, uint256, uint256) external {
        settled[abi.decode(context, (address))] += 1;
    }
}
