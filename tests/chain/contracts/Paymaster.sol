// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PackedUserOperation} from "./PackedUserOperation.sol";

/// Pays for operations that one client signed for, within the times that the client allows.
contract Paymaster {
    address private immutable entryPoint;
    address private immutable clientSWA;
    address private immutable clientKey;

    constructor(address entryPoint_, address clientSWA_, address clientKey_) {
        (entryPoint, clientSWA, clientKey) = (entryPoint_, clientSWA_, clientKey_);
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        public
        view
        virtual
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == entryPoint, "not the EntryPoint");
        // The paymaster's address and its two gas limits take 52 bytes.
        (address client, uint48 validUntil, uint48 validAfter, bytes memory signature) =
            abi.decode(op.paymasterAndData[52:], (address, uint48, uint48, bytes));
        bytes32 hash = keccak256(abi.encodePacked(op.nonce, client, validUntil, validAfter));
        (address signer,,) = ECDSA.tryRecover(MessageHashUtils.toEthSignedMessageHash(hash), signature);
        bool refused = client != clientSWA || signer != clientKey;
        return ("", (refused ? 1 : 0) | (uint256(validUntil) << 160) | (uint256(validAfter) << 208));
    }
}
