// Made by `cargo xtask codegen` from the core; a change here is lost.

export const COMMANDS = [
  {
    "name": "estimate",
    "usage": "estimate REQUEST FACTS",
    "function": "estimate",
    "isJudgement": false,
    "arguments": [
      {
        "name": "REQUEST",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "FACTS",
        "kind": "document",
        "isOptional": false,
        "at": "facts",
        "keys": []
      }
    ],
    "shows": [
      [
        "type",
        "data.callData.intentType"
      ],
      [
        "job",
        "data.callData.jobId"
      ],
      [
        "sender",
        "data.userOps.sender"
      ],
      [
        "nonce",
        "data.userOps.nonce"
      ],
      [
        "paymaster",
        "data.userOps.paymaster"
      ],
      [
        "call data",
        "data.userOps.callData"
      ]
    ]
  },
  {
    "name": "verify",
    "usage": "verify REQUEST REPLY --deployment FILE",
    "function": "signable",
    "isJudgement": true,
    "arguments": [
      {
        "name": "REQUEST",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "REPLY",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": [
          "data",
          "status"
        ]
      },
      {
        "name": "--deployment",
        "kind": "document",
        "isOptional": false,
        "at": "where",
        "keys": []
      }
    ],
    "shows": [
      [
        "",
        "account.call.sentences.*"
      ],
      [
        "warning",
        "warnings.*.message"
      ],
      [
        "at most, in wei",
        "account.operation.maxCost"
      ],
      [
        "hash",
        "hash"
      ],
      [
        "digest",
        "digest"
      ]
    ]
  },
  {
    "name": "verify",
    "usage": "verify REQUEST REPLY",
    "function": "verifyEstimate",
    "isJudgement": true,
    "arguments": [
      {
        "name": "REQUEST",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "REPLY",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": [
          "data",
          "status"
        ]
      }
    ],
    "shows": []
  },
  {
    "name": "decode",
    "usage": "decode CALLDATA [--names FILE]",
    "function": "describeCall",
    "isJudgement": false,
    "arguments": [
      {
        "name": "CALLDATA",
        "kind": "text",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "--names",
        "kind": "document",
        "isOptional": true,
        "at": "names",
        "keys": []
      }
    ],
    "shows": [
      [
        "",
        "sentences.*"
      ],
      [
        "type",
        "type"
      ],
      [
        "job",
        "jobId"
      ],
      [
        "from",
        "from"
      ],
      [
        "fee payer",
        "feePayer"
      ],
      [
        "client",
        "client"
      ],
      [
        "job manager",
        "jobManager"
      ]
    ]
  },
  {
    "name": "hash",
    "usage": "hash OPERATION --deployment FILE",
    "function": "userOpHash",
    "isJudgement": false,
    "arguments": [
      {
        "name": "OPERATION",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "--deployment",
        "kind": "entryPoint",
        "isOptional": false,
        "at": "options",
        "keys": []
      }
    ],
    "shows": [
      [
        "",
        ""
      ]
    ]
  },
  {
    "name": "plan",
    "usage": "plan COUNT --policy FILE [--window FILE] [--now MS]",
    "function": "plan",
    "isJudgement": false,
    "arguments": [
      {
        "name": "--policy",
        "kind": "document",
        "isOptional": false,
        "at": "",
        "keys": []
      },
      {
        "name": "--window",
        "kind": "document",
        "isOptional": true,
        "at": "window",
        "keys": []
      },
      {
        "name": "--now",
        "kind": "time",
        "isOptional": true,
        "at": "now",
        "keys": []
      },
      {
        "name": "COUNT",
        "kind": "text",
        "isOptional": false,
        "at": "n",
        "keys": []
      }
    ],
    "shows": [
      [
        "",
        "*.count,@at"
      ]
    ]
  }
]

export const ENTRY_POINT = [
  "entryPoint",
  "chainId",
  "version",
  "gasFeeOrder"
]

export const HELP = "Checks the replies of a cross-chain wallet service before you sign.\n\nusage:\n  sendoff estimate REQUEST FACTS\n      prepares the user operation of a request, from the facts that a host knows\n  sendoff verify REQUEST REPLY --deployment FILE\n      compares a reply with its request and deployment, and shows what a signature will do\n  sendoff verify REQUEST REPLY\n      compares a reply with its request alone\n  sendoff decode CALLDATA [--names FILE]\n      says what call data does\n  sendoff hash OPERATION --deployment FILE\n      hashes a user operation for the EntryPoint of a deployment\n  sendoff plan COUNT --policy FILE [--window FILE] [--now MS]\n      plans calls so that the rate limit refuses none: how many, and when\n  sendoff serve ARGUMENT…\n      starts sendoff-gateway, which must be on the PATH\n\noptions:\n  --json      prints the answer, or what is wrong, as one line of JSON\n  --help      prints this\n  --version   prints the version\n\nA FILE, REQUEST, REPLY, FACTS or OPERATION is the name of a file with JSON text; `-` is the standard input.\nExit status: 0 for an answer, 1 for `not ok`, 2 for a wrong command line or a file that cannot be read.\nColours are for terminals: NO_COLOR turns them off, FORCE_COLOR on.\n"
