// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

struct Transaction {
    address from;
    address to;
    uint256 value;
    bytes data;
}

/// A transaction as compact JSON with its keys in alphabetical order: `{"data":"0x","from":"0x…","to":"0x…","value":"0x0"}`.
library TransactionText {
    function parse(bytes memory json) internal pure returns (Transaction memory transaction) {
        (string memory text, uint256 position) = field(json, 0, '{"data":"');
        transaction.data = parseHex(text);
        (text, position) = field(json, position, '","from":"');
        transaction.from = Strings.parseAddress(text);
        (text, position) = field(json, position, '","to":"');
        transaction.to = Strings.parseAddress(text);
        (text, position) = field(json, position, '","value":"');
        transaction.value = Strings.parseHexUint(text);
        require(keccak256(Bytes.slice(json, position)) == keccak256('"}'), "expected the end of a transaction");
    }

    /// The text between `key`, which must begin at `start`, and the next quotation mark, which is at `end`.
    function field(bytes memory json, uint256 start, bytes memory key)
        private
        pure
        returns (string memory text, uint256 end)
    {
        uint256 begin = start + key.length;
        require(keccak256(Bytes.slice(json, start, begin)) == keccak256(key), "expected another key of a transaction");
        end = Bytes.indexOf(json, '"', begin);
        text = string(Bytes.slice(json, begin, end));
    }

    function parseHex(string memory text) private pure returns (bytes memory parsed) {
        parsed = new bytes(bytes(text).length / 2 - 1);
        for (uint256 i = 0; i < parsed.length; ++i) {
            parsed[i] = bytes1(uint8(Strings.parseHexUint(text, 2 * i + 2, 2 * i + 4)));
        }
    }
}
