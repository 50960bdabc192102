// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PackedUserOperation} from "entry-point-0.9/interfaces/PackedUserOperation.sol";

/// A user's smart wallet (`userSWA`). It executes call data of the form
/// `(bytes4 executeUserOp, address jobManager, uint256 value, bytes call)` and has its gas paid by a paymaster.
contract Account {
    address private immutable entryPoint;
    address private immutable owner;

    constructor(address entryPoint_, address owner_) {
        (entryPoint, owner) = (entryPoint_, owner_);
    }

    function validateUserOp(PackedUserOperation calldata op, bytes32 hash, uint256) external view returns (uint256) {
        require(msg.sender == entryPoint, "not the EntryPoint");
        // The owner signs the operation's hash as a personal message (EIP-191).
        (address signer,,) = ECDSA.tryRecover(MessageHashUtils.toEthSignedMessageHash(hash), op.signature);
        return signer == owner ? 0 : 1;
    }

    /// ERC-4337's `IAccountExecute`: called instead of the call data if the call data starts with this selector.
    function executeUserOp(PackedUserOperation calldata op, bytes32) external {
        require(msg.sender == entryPoint, "not the EntryPoint");
        (, address target, uint256 value, bytes memory data) = abi.decode(op.callData, (bytes4, address, uint256, bytes));
        Address.functionCallWithValue(target, data, value);
    }
}
