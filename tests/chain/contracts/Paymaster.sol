// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PackedUserOperation} from "entry-point-0.9/interfaces/PackedUserOperation.sol";

/// Pays for operations that one client signed for, within the times that the client allows, and has work after the call, for which
/// the operation has gas of its own.
contract Paymaster {
    address private immutable entryPoint;
    address private immutable clientSWA;
    address private immutable clientKey;
    /// How many operations of each account were settled.
    mapping(address account => uint256) public settled;

    constructor(address entryPoint_, address clientSWA_, address clientKey_) {
        (entryPoint, clientSWA, clientKey) = (entryPoint_, clientSWA_, clientKey_);
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == entryPoint, "not the EntryPoint");
        // The paymaster's address and its two gas limits take 52 bytes.
        (address client, uint48 validUntil, uint48 validAfter, bytes memory signature) =
            abi.decode(op.paymasterAndData[52:], (address, uint48, uint48, bytes));
        bytes32 hash = keccak256(abi.encodePacked(op.nonce, client, validUntil, validAfter));
        (address signer,,) = ECDSA.tryRecover(MessageHashUtils.toEthSignedMessageHash(hash), signature);
        bool refused = client != clientSWA || signer != clientKey;
        validationData = (refused ? 1 : 0) | (uint256(validUntil) << 160) | (uint256(validAfter) << 208);
        context = abi.encode(op.sender);
    }

    /// ERC-4337's `IPaymaster`.
    function postOp(uint8, bytes calldata context, uint256, uint256) external {
        settled[abi.decode(context, (address))] += 1;
    }
}
