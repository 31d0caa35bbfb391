/**
 * Becoming known to a server (spec §2.3), in two phases because the server chooses the slug's suffix: a person with an
 * invite code, an agent with its operator's signature. Keys are made here and never leave but as certificates.
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { createAttestation, createSlugBinding } from '../../core/puffo/certificates.ts';
import { createIdentity, type Identity, type NewIdentity } from '../../core/puffo/identity.ts';
import { createServerClock } from './clock-skew.ts';
import { pause } from './pause.ts';
import { readAnswer } from './read-answer.ts';
import { isTransient, noAnswer, plainError, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { createTransport, type Transport } from './transport.ts';

interface Newcomer {
  /** The slug becomes `<username>-<4 hex>`. */
  readonly username: string;
  readonly displayName?: string;
  readonly avatarUrl?: string;
}

export interface SignUpRequest extends Newcomer {
  readonly serverUrl: string;
  readonly inviteCode: string;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

export interface RegisterAgentRequest extends Newcomer {
  /** The operator's account; it need not be connected. */
  readonly operatorAccount: { readonly client: SignedClient };
  readonly operatorIdentity: Identity;
  readonly role?: string;
  readonly roleShort?: string;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

/** What key files and settings can be named after: anything else is refused before the name is bound to the keys. */
const slug = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9_][\w.@-]*$/);
const token = z.string().min(1).max(2_000);
const signUpAnswer = z.looseObject({ slug, device_id: z.string(), pending_token: token });
const agentAnswer = z.looseObject({ agent_slug: slug, agent_device_id: z.string(), pending_token: token });

const encoder = new TextEncoder();
/** The binding may be sent again when an answer is lost: the server gives the same answer for the same binding. */
const bindWaitsMs = [0, 500, 2_000, 5_000];

/** Unsigned: nobody is known yet. */
async function post(transport: Transport, clock: Clock, target: string, body: object) {
  const answer = await transport.send({
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json' },
    body: encoder.encode(JSON.stringify(body)),
  });
  return readAnswer(answer, createServerClock(clock));
}

function parse<T>(answer: Result<unknown, RequestError>, schema: z.ZodType<T>): Result<T, RequestError> {
  if (!answer.ok) return answer;
  const parsed = schema.safeParse(answer.value);
  return parsed.success
    ? ok(parsed.data)
    : err(noAnswer('protocol', "The server's answer to the registration does not have the agreed form."));
}

const profileOf = (newcomer: Newcomer) => ({
  username: newcomer.username,
  ...(newcomer.displayName === undefined ? {} : { display_name: newcomer.displayName }),
  ...(newcomer.avatarUrl === undefined ? {} : { avatar_url: newcomer.avatarUrl }),
});

interface Pending {
  readonly made: NewIdentity;
  readonly slug: string;
  readonly deviceId: string;
  readonly token: string;
}

async function bind(
  transport: Transport,
  deps: { readonly crypto: CryptoEngine; readonly clock: Clock },
  pending: Pending,
): Promise<Result<Identity>> {
  const { made, slug: given } = pending;
  if (pending.deviceId !== made.deviceId) {
    return err(appError('untrusted', 'The server answered for another device than the one that asked.'));
  }
  const root = deps.crypto.ed25519KeyPair(made.secrets.root);
  const slugBinding = createSlugBinding(deps.crypto, root, given, deps.clock.now());
  const body = { pending_token: pending.token, slug_binding: slugBinding };
  let answer: Result<unknown, RequestError> = err(noAnswer('unavailable', 'The server cannot be reached.'));
  for (const wait of bindWaitsMs) {
    await pause(deps.clock, wait);
    answer = await post(transport, deps.clock, '/certs/slug_binding', body);
    if (answer.ok || !isTransient(answer.error)) break;
  }
  if (!answer.ok) return err(plainError(answer.error));
  return ok({
    slug: given,
    deviceId: made.deviceId,
    serverUrl: transport.serverUrl,
    secrets: made.secrets,
    identityCert: made.identityCert,
    slugBinding,
    deviceCert: made.deviceCert,
  });
}

/** A person's identity on a server. Save it before anything else: nobody can make it again. */
export async function signUp(request: SignUpRequest): Promise<Result<Identity>> {
  const { crypto, clock } = request;
  const transport = createTransport(request.serverUrl, clock);
  try {
    const made = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now: clock.now() });
    const body = {
      invite_code: request.inviteCode,
      ...profileOf(request),
      identity_cert: made.identityCert,
      device_cert: made.deviceCert,
    };
    const answer = parse(await post(transport, clock, '/signup', body), signUpAnswer);
    if (!answer.ok) return err(plainError(answer.error));
    const { slug: given, device_id: deviceId, pending_token: pendingToken } = answer.value;
    return await bind(transport, request, { made, slug: given, deviceId, token: pendingToken });
  } finally {
    transport.close();
  }
}

/** An agent's identity, attested by its operator's root key. */
export async function registerAgent(request: RegisterAgentRequest): Promise<Result<Identity>> {
  const { crypto, clock, operatorIdentity, operatorAccount } = request;
  const operatorRoot = crypto.ed25519KeyPair(operatorIdentity.secrets.root);
  const operatorRootPublicKey = operatorIdentity.identityCert?.root_public_key ?? null;
  if (operatorRootPublicKey === null || !sameKey(operatorRootPublicKey, operatorRoot.public)) {
    return err(appError('corrupt', "The operator's key file does not fit its certificate."));
  }
  const now = clock.now();
  const made = createIdentity(crypto, { type: 'agent', operatorRootPublicKey, now });
  const body = {
    ...profileOf(request),
    ...(request.role === undefined ? {} : { role: request.role }),
    ...(request.roleShort === undefined ? {} : { role_short: request.roleShort }),
    identity_cert: made.identityCert,
    device_cert: made.deviceCert,
    attestation: createAttestation(crypto, operatorRoot, made.rootPublicKey, now),
  };
  const answer = await operatorAccount.client.json('POST', '/agents', agentAnswer, { body });
  if (!answer.ok) return err(plainError(answer.error));
  const { agent_slug: given, agent_device_id: deviceId, pending_token: pendingToken } = answer.value;
  const transport = createTransport(operatorIdentity.serverUrl, clock);
  try {
    return await bind(transport, request, { made, slug: given, deviceId, token: pendingToken });
  } finally {
    transport.close();
  }
}

function sameKey(text: string, key: Uint8Array): boolean {
  const bytes = fromBase64Url(text);
  return bytes?.length === key.length && bytes.every((byte, at) => byte === key[at]);
}
