/** All caps and intervals of the relay (T24, spec §2.1, §2.2, §2.5); tests shorten the ones they wait for. */
import { maxBlobBytes, maxBodyBytes, maxJsonDepth, maxWsFrameBytes } from '../core/puffo/wire.ts';

export interface RelayLimits {
  readonly bodyBytes: number;
  readonly blobBytes: number;
  /** Body of a route without a signature. */
  readonly openBodyBytes: number;
  /** Body bytes that all requests may hold in memory, and those of one address. */
  readonly bodiesBytes: number;
  readonly bodiesBytesPerAddress: number;
  /** ms after which a body that is still being read may be cut in favour of others. */
  readonly slowBodyMs: number;
  /** Open TCP connections, and unauthenticated ones of one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Unauthenticated connections from loopback; a further one evicts the oldest. */
  readonly connectionsFromLoopback: number;
  /** Unauthenticated WebSockets in total and per address, and the bytes each may send. */
  readonly strangers: number;
  readonly strangersPerAddress: number;
  readonly strangerBytes: number;
  readonly wsFrameBytes: number;
  /** Bytes of one signed event, which members receive in one frame. */
  readonly eventBytes: number;
  readonly jsonDepth: number;
  /** ms from the first byte of a request to the end of its headers. */
  readonly headerMs: number;
  /** ms from the headers to the end of a body. */
  readonly bodyMs: number;
  readonly blobMs: number;
  /** Idle ms of a keep-alive connection. */
  readonly idleMs: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly missedPings: number;
  /** Unsent bytes of one WebSocket beyond which its reader counts as too slow. */
  readonly wsBacklogBytes: number;
  readonly connectionsPerDevice: number;
  readonly signUpMs: number;
  /** ms within which a new device must be approved. */
  readonly enrolMs: number;
  /** Open enrolment requests in total; beyond that the oldest is dropped. */
  readonly openEnrolments: number;
  /** Active devices of one identity: every message to it is encrypted for each of them. */
  readonly devicesPerIdentity: number;
  /** Held messages of one stranger; more are dropped. */
  readonly heldPerStranger: number;
  /** Quotas of one operator with all their agents. */
  readonly blobsPerOperator: number;
  readonly blobBytesPerOperator: number;
  readonly spacesPerOperator: number;
  readonly agentsPerOperator: number;
  /** People who may sign up by the invite links of one person; 0 allows none. */
  readonly signUpsByLinks: number;
  /** Usable invite links of one space. */
  readonly linksPerSpace: number;
  /** Unfinished sign-ups of one invite link; beyond that the oldest is dropped. */
  readonly signUpsPerLink: number;
  readonly remindersPerAgent: number;
  /** Lease of a claim on a reminder, in ms. */
  readonly reminderLeaseMs: number;
  readonly heartbeatMs: number;
  readonly offlineMs: number;
  readonly keepDeliveredMs: number;
  readonly keepUndeliveredMs: number;
  readonly pruneMs: number;
  /** Per slug: requests in a burst, and per second in the long run. */
  readonly requestBurst: number;
  readonly requestsPerSecond: number;
  /** Per address: refused sign-ups and invalid signatures in a burst, and per second. */
  readonly failureBurst: number;
  readonly failuresPerSecond: number;
}

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

export const defaultLimits: RelayLimits = {
  bodyBytes: maxBodyBytes,
  blobBytes: maxBlobBytes,
  openBodyBytes: 64 * 1024,
  bodiesBytes: 64 * 1024 * 1024,
  bodiesBytesPerAddress: 24 * 1024 * 1024,
  slowBodyMs: 5 * second,
  connections: 10_000,
  connectionsPerAddress: 512,
  connectionsFromLoopback: 2_000,
  strangers: 2_000,
  strangersPerAddress: 256,
  strangerBytes: 16 * 1024,
  wsFrameBytes: maxWsFrameBytes,
  eventBytes: 64 * 1024,
  jsonDepth: maxJsonDepth,
  headerMs: 10 * second,
  bodyMs: 30 * second,
  blobMs: 2 * minute,
  idleMs: minute,
  handshakeMs: 5 * second,
  pingMs: 20 * second,
  missedPings: 2,
  wsBacklogBytes: 8 * 1024 * 1024,
  connectionsPerDevice: 8,
  signUpMs: 10 * minute,
  enrolMs: 10 * minute,
  openEnrolments: 5_000,
  devicesPerIdentity: 20,
  heldPerStranger: 50,
  blobsPerOperator: 20_000,
  blobBytesPerOperator: 4 * 1024 ** 3,
  spacesPerOperator: 200,
  agentsPerOperator: 2_000,
  signUpsByLinks: 1_000,
  linksPerSpace: 50,
  signUpsPerLink: 20,
  remindersPerAgent: 5_000,
  reminderLeaseMs: 30 * second,
  heartbeatMs: 10 * second,
  offlineMs: 2 * minute,
  keepDeliveredMs: 30 * day,
  keepUndeliveredMs: 90 * day,
  pruneMs: 10 * minute,
  requestBurst: 10_000,
  requestsPerSecond: 500,
  failureBurst: 200,
  failuresPerSecond: 5,
};
