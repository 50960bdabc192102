// An estimate to try, for examples and tests.

import deployment from 'sendoff-demo/deployment'
import expect from 'sendoff-demo/expect'
import facts from 'sendoff-demo/facts'
import request from 'sendoff-demo/request'
import type { Deployment, Expectations, Facts, NftTransferRequest } from '../types.js'

/** A request, the facts of a service, and a deployment whose expectations bind every field that is signed. */
export interface Demo {
  readonly request: NftTransferRequest
  readonly facts: Facts
  readonly deployment: Deployment & { readonly expect: Expectations }
}

/** The estimate of `tests/demo` in the repository. */
export const demo: Demo = { request, facts, deployment: { ...deployment, expect } }
