/**
 * Registration on a server (spec §2.3), in two phases because the server chooses the slug's suffix: a person
 * with an invite code, an agent with its operator's signature. Keys are generated here and only their
 * certificates are sent. Each step is saved before the next, so that resuming after a crash loses neither
 * identity nor invite.
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { createAttestation, createSlugBinding } from '../../core/puffo/certificates.ts';
import { signRequest } from '../../core/puffo/http-signing.ts';
import { createIdentity, createSession, type Identity } from '../../core/puffo/identity.ts';
import { say } from '../../language/say.ts';
import { createServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import type { DraftJournal, EnrolmentDraft, Named } from './registration-draft.ts';
import { isTransient, noAnswer, plainError, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { createTransport, type Transport } from './transport.ts';
import { postUnsigned } from './unsigned-post.ts';

interface Newcomer {
  /** The slug becomes `<username>-<4 hex>`. */
  readonly username: string;
  readonly displayName?: string;
  readonly avatarUrl?: string;
}

interface Common extends Newcomer {
  /** If absent, nothing is saved, and a crash loses the identity. */
  readonly journal?: DraftJournal;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

export interface SignUpRequest extends Common {
  readonly serverUrl: string;
  readonly inviteCode: string;
}

export interface RegisterAgentRequest extends Common {
  /** The operator's account; it need not be connected. */
  readonly operatorAccount: { readonly client: SignedClient };
  readonly operatorIdentity: Identity;
  readonly role?: string;
  readonly roleShort?: string;
}

/**
 * Must be usable in the names of key files and settings: any other slug is refused before it is bound to the
 * keys.
 */
const slug = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9_][\w.@-]*$/);
const token = z.string().min(1).max(2_000);
const signUpAnswer = z.looseObject({ slug, device_id: z.string(), pending_token: token });
const agentAnswer = z.looseObject({ agent_slug: slug, agent_device_id: z.string(), pending_token: token });

const encoder = new TextEncoder();
/** The binding may be sent again after a lost response: the server answers the same binding equally. */
const bindWaitsMs = [0, 500, 2_000, 5_000];

function parse<T>(answer: Result<unknown, RequestError>, schema: z.ZodType<T>): Result<T, RequestError> {
  if (!answer.ok) return answer;
  const parsed = schema.safeParse(answer.value);
  return parsed.success
    ? ok(parsed.data)
    : err(noAnswer('protocol', say('server.invalidRegistrationAnswer')));
}

const profileOf = (newcomer: Newcomer) => ({
  username: newcomer.username,
  ...(newcomer.displayName === undefined ? {} : { display_name: newcomer.displayName }),
  ...(newcomer.avatarUrl === undefined ? {} : { avatar_url: newcomer.avatarUrl }),
});

type FirstPhase = (
  draft: EnrolmentDraft,
) => Promise<
  Result<{ readonly slug: string; readonly deviceId: string; readonly token: string }, RequestError>
>;

interface Enrolling {
  readonly transport: Transport;
  readonly deps: Common;
  readonly first: FirstPhase;
}

/** The keys of an interrupted attempt, else new ones; durable before they are sent. */
function beginDraft(
  deps: Common,
  subject: Omit<Parameters<typeof createIdentity>[1], 'now'>,
): Result<EnrolmentDraft> {
  const before = deps.journal?.read() ?? ok(null);
  if (!before.ok) return before;
  if (before.value) return ok(before.value);
  const draft: EnrolmentDraft = {
    made: createIdentity(deps.crypto, { ...subject, now: deps.clock.now() }),
    named: null,
  };
  const saved = deps.journal?.write(draft) ?? ok(undefined);
  return saved.ok ? ok(draft) : saved;
}

/** First phase: the server chooses the slug, and the slug binding is saved before it is sent. */
async function nameDraft(
  { deps, first }: Enrolling,
  draft: EnrolmentDraft,
): Promise<Result<EnrolmentDraft & { named: Named }>> {
  const answer = await first(draft);
  if (!answer.ok) return err(plainError(answer.error));
  const { made } = draft;
  if (answer.value.deviceId !== made.deviceId) {
    return err(fail('untrusted', 'server.answerDeviceMismatch'));
  }
  const root = deps.crypto.ed25519KeyPair(made.secrets.root);
  const binding = createSlugBinding(deps.crypto, root, answer.value.slug, deps.clock.now());
  const named = { slug: answer.value.slug, token: answer.value.token, binding };
  const saved = deps.journal?.write({ made, named }) ?? ok(undefined);
  return saved.ok ? ok({ made, named }) : saved;
}

async function bind({ transport, deps }: Enrolling, named: Named): Promise<Result<void, RequestError>> {
  const body = { pending_token: named.token, slug_binding: named.binding };
  let answer: Result<unknown, RequestError> = err(noAnswer('unavailable', say('server.serverUnreachable')));
  for (const wait of bindWaitsMs) {
    await sleep(deps.clock, wait);
    answer = await postUnsigned(transport, deps.clock, '/certs/slug_binding', body);
    if (answer.ok || !isTransient(answer.error)) break;
  }
  return answer.ok ? ok(undefined) : answer;
}

/**
 * True if the server knows this device under this slug: then the second phase succeeded and its response was
 * lost.
 */
async function isKnown(
  { transport, deps }: Enrolling,
  draft: EnrolmentDraft,
  name: string,
): Promise<boolean> {
  const { crypto, clock } = deps;
  const { secrets, deviceId } = draft.made;
  const session = createSession(crypto, secrets, deviceId, clock.now());
  const body = encoder.encode(JSON.stringify({ subkey_cert: session.cert }));
  const request = { method: 'POST' as const, target: '/devices/subkeys', body };
  const signer = { slug: name, signerId: deviceId, secret: secrets.deviceSigning };
  const signed = signRequest(crypto, request, signer, clock.now(), {
    bytes: (length) => crypto.randomBytes(length),
  });
  const headers = { ...signed, 'content-type': 'application/json' };
  return readAnswer(await transport.send({ ...request, headers }), createServerClock(clock)).ok;
}

const refusedForGood = new Set(['not_found', 'forbidden', 'conflict', 'invalid_input']);

/** Runs both phases, resuming an interrupted registration. */
async function enrol(enrolling: Enrolling, draft: EnrolmentDraft): Promise<Result<Identity>> {
  const interrupted = draft.named;
  if (interrupted !== null) {
    const bound = await bind(enrolling, interrupted);
    if (bound.ok) return ok(identityOf(enrolling, draft, interrupted));
    if (!refusedForGood.has(bound.error.code)) return err(plainError(bound.error));
    if (await isKnown(enrolling, draft, interrupted.slug)) {
      return ok(identityOf(enrolling, draft, interrupted));
    }
    // Expired: the same keys start again, and the invite is still theirs.
  }
  const named = await nameDraft(enrolling, draft);
  if (!named.ok) return named;
  const bound = await bind(enrolling, named.value.named);
  return bound.ok ? ok(identityOf(enrolling, draft, named.value.named)) : err(plainError(bound.error));
}

const identityOf = (
  { transport }: Enrolling,
  { made }: EnrolmentDraft,
  { slug: given, binding }: Named,
): Identity => ({
  slug: given,
  deviceId: made.deviceId,
  serverUrl: transport.serverUrl,
  secrets: made.secrets,
  identityCert: made.identityCert,
  slugBinding: binding,
  deviceCert: made.deviceCert,
});

/**
 * Registers a person on a server. Save the identity before the journal is cleared: it cannot be recreated.
 */
export async function signUp(request: SignUpRequest): Promise<Result<Identity>> {
  const { clock } = request;
  const draft = beginDraft(request, { type: 'human', operatorRootPublicKey: null });
  if (!draft.ok) return draft;
  const transport = createTransport(request.serverUrl, clock);
  const first: FirstPhase = async ({ made }) => {
    const body = {
      invite_code: request.inviteCode,
      ...profileOf(request),
      identity_cert: made.identityCert,
      device_cert: made.deviceCert,
    };
    const answer = parse(await postUnsigned(transport, clock, '/signup', body), signUpAnswer);
    if (!answer.ok) return answer;
    const { slug: given, device_id: deviceId, pending_token: pendingToken } = answer.value;
    return ok({ slug: given, deviceId, token: pendingToken });
  };
  try {
    return await enrol({ transport, deps: request, first }, draft.value);
  } finally {
    transport.close();
  }
}

/** Registers an agent, attested by its operator's root key. */
export async function registerAgent(request: RegisterAgentRequest): Promise<Result<Identity>> {
  const { crypto, clock, operatorIdentity, operatorAccount } = request;
  const operatorRoot = crypto.ed25519KeyPair(operatorIdentity.secrets.root);
  const operatorRootPublicKey = operatorIdentity.identityCert?.root_public_key ?? null;
  if (operatorRootPublicKey === null || !sameKey(operatorRootPublicKey, operatorRoot.public)) {
    return err(fail('corrupt', 'server.operatorKeyMismatch'));
  }
  const draft = beginDraft(request, { type: 'agent', operatorRootPublicKey });
  if (!draft.ok) return draft;
  const first: FirstPhase = async ({ made }) => {
    const body = {
      ...profileOf(request),
      ...(request.role === undefined ? {} : { role: request.role }),
      ...(request.roleShort === undefined ? {} : { role_short: request.roleShort }),
      identity_cert: made.identityCert,
      device_cert: made.deviceCert,
      attestation: createAttestation(crypto, operatorRoot, made.rootPublicKey, clock.now()),
    };
    const answer = await operatorAccount.client.json('POST', '/agents', agentAnswer, { body });
    if (!answer.ok) return answer;
    const { agent_slug: given, agent_device_id: deviceId, pending_token: pendingToken } = answer.value;
    return ok({ slug: given, deviceId, token: pendingToken });
  };
  const transport = createTransport(operatorIdentity.serverUrl, clock);
  try {
    return await enrol({ transport, deps: request, first }, draft.value);
  } finally {
    transport.close();
  }
}

function sameKey(text: string, key: Uint8Array): boolean {
  const bytes = fromBase64Url(text);
  return bytes?.length === key.length && bytes.every((byte, at) => byte === key[at]);
}
