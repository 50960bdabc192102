// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {CAIP2} from "@openzeppelin/contracts/utils/CAIP2.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// The user's wallet on the chain of the transfer. The live service controls it with shared keys, this test with a contract.
contract Wallet {
    address private immutable jobManager = msg.sender;

    receive() external payable {}

    function run(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == jobManager, "not the job manager");
        if (data.length == 0) Address.sendValue(payable(to), value);
        else Address.functionCallWithValue(to, data, value);
    }
}

/// Decodes the service's call data and executes the job directly, on the same chain.
contract JobManager {
    struct Policies {
        bool gsnEnabled;
        bool sponsorshipEnabled;
    }

    struct Gsn {
        bool isRequired;
        string[] requiredNetworks;
        bytes[] tokens;
    }

    struct NftTransfer {
        string caip2Id;
        string nftId;
        string recipientWalletAddress;
        string collectionAddress;
        string nftType;
        uint256 amount;
    }

    struct TokenTransfer {
        string caip2Id;
        string recipientWalletAddress;
        string tokenAddress;
        uint256 amount;
    }

    struct RawTransaction {
        string caip2Id;
        bytes[] transactions;
    }

    event JobDone(
        uint256 jobId,
        address clientSWA,
        address userSWA,
        address feePayerAddress,
        Policies policies,
        Gsn gsn,
        string intentType
    );

    /// Raw transactions as they came, one JSON text each.
    event RawTransactions(bytes[] transactions);

    mapping(address userSWA => Wallet) public wallets;

    function open(address userSWA) external {
        require(address(wallets[userSWA]) == address(0), "the user has a wallet");
        wallets[userSWA] = new Wallet();
    }

    function initiateJob(
        uint256 jobId,
        address clientSWA,
        address userSWA,
        address feePayerAddress,
        bytes memory policyInfo,
        bytes memory gsnData,
        bytes memory jobParameters,
        string memory intentType
    ) external {
        require(msg.sender == userSWA, "not the user");
        Wallet wallet = wallets[userSWA];
        if (Strings.equal(intentType, "NFT_TRANSFER")) {
            transferNft(wallet, abi.decode(jobParameters, (NftTransfer)));
        } else if (Strings.equal(intentType, "TOKEN_TRANSFER")) {
            transferToken(wallet, abi.decode(jobParameters, (TokenTransfer)));
        } else if (Strings.equal(intentType, "RAW_TRANSACTION")) {
            announce(abi.decode(jobParameters, (RawTransaction)));
        } else {
            revert("unknown intent");
        }
        Policies memory policies = abi.decode(policyInfo, (Policies));
        Gsn memory gsn = abi.decode(gsnData, (Gsn));
        emit JobDone(jobId, clientSWA, userSWA, feePayerAddress, policies, gsn, intentType);
    }

    function transferNft(Wallet wallet, NftTransfer memory nft) private onThisChain(nft.caip2Id) {
        require(Strings.equal(nft.nftType, "ERC721") && nft.amount == 1, "expected one ERC-721 token");
        address to = Strings.parseAddress(nft.recipientWalletAddress);
        bytes memory call = abi.encodeCall(IERC721.transferFrom, (address(wallet), to, Strings.parseUint(nft.nftId)));
        wallet.run(Strings.parseAddress(nft.collectionAddress), 0, call);
    }

    function transferToken(Wallet wallet, TokenTransfer memory token) private onThisChain(token.caip2Id) {
        address to = Strings.parseAddress(token.recipientWalletAddress);
        if (bytes(token.tokenAddress).length == 0) {
            wallet.run(to, token.amount, "");
        } else {
            wallet.run(Strings.parseAddress(token.tokenAddress), 0, abi.encodeCall(IERC20.transfer, (to, token.amount)));
        }
    }

    function announce(RawTransaction memory raw) private onThisChain(raw.caip2Id) {
        emit RawTransactions(raw.transactions);
    }

    modifier onThisChain(string memory caip2Id) {
        require(Strings.equal(caip2Id, CAIP2.local()), "another chain");
        _;
    }
}
