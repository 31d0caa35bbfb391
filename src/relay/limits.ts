/** Every cap and interval of the relay in one place (T24, spec §2.1, §2.2, §2.5); tests shorten what they wait for. */
import { maxBlobBytes, maxBodyBytes, maxJsonDepth, maxWsFrameBytes } from '../core/puffo/wire.ts';

export interface RelayLimits {
  readonly bodyBytes: number;
  readonly blobBytes: number;
  /** Body of a route that asks for no signature. */
  readonly openBodyBytes: number;
  /** Body bytes that all requests may hold in memory, and those of one address. */
  readonly bodiesBytes: number;
  readonly bodiesBytesPerAddress: number;
  /** ms after which a body that is still being read makes room for others. */
  readonly slowBodyMs: number;
  /** Open TCP connections, and those of one address that have not authenticated. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** The same for loopback; the oldest of them makes room. */
  readonly connectionsFromLoopback: number;
  /** WebSockets that have not authenticated, those of one address, and the bytes each may send. */
  readonly strangers: number;
  readonly strangersPerAddress: number;
  readonly strangerBytes: number;
  readonly wsFrameBytes: number;
  /** One signed event: members tell the whole of it to each other in one frame. */
  readonly eventBytes: number;
  readonly jsonDepth: number;
  /** ms from the first byte of a request to the end of its headers. */
  readonly headerMs: number;
  /** ms from the headers to the end of a body. */
  readonly bodyMs: number;
  readonly blobMs: number;
  /** ms that a connection may stay silent. */
  readonly idleMs: number;
  readonly handshakeMs: number;
  readonly pingMs: number;
  readonly missedPings: number;
  /** Bytes that may wait in one WebSocket before its reader counts as too slow. */
  readonly wsBacklogBytes: number;
  readonly connectionsPerDevice: number;
  readonly signUpMs: number;
  /** ms in which a new device must be let in. */
  readonly enrolMs: number;
  /** Requests of new devices that wait at once, from everywhere; beyond that the oldest is dropped. */
  readonly openEnrolments: number;
  /** Devices of one identity that count: every message to it is sealed for each of them. */
  readonly devicesPerIdentity: number;
  /** Messages of one stranger that wait for a yes; more of them are dropped. */
  readonly heldPerStranger: number;
  /** Quota of one operator and all their agents. */
  readonly blobsPerOperator: number;
  readonly blobBytesPerOperator: number;
  readonly spacesPerOperator: number;
  readonly agentsPerOperator: number;
  readonly remindersPerAgent: number;
  /** ms for which a claim to deliver a reminder counts. */
  readonly reminderLeaseMs: number;
  readonly heartbeatMs: number;
  readonly offlineMs: number;
  readonly keepDeliveredMs: number;
  readonly keepUndeliveredMs: number;
  readonly pruneMs: number;
  /** Per slug: requests that may come at once, and per second for ever. */
  readonly requestBurst: number;
  readonly requestsPerSecond: number;
  /** Per address: refused sign-ups and failed signatures that may come at once, and per second. */
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
