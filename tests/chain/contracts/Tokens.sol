// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract Collection is ERC721("Collection", "NFT") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }
}

contract Token is ERC20("Token", "TKN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
