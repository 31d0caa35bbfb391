/**
 * POST /v1/agents (spec §4.3): imports an agent that the paired person created elsewhere. Its certificates
 * must be consistent and name this person, and its secret keys must match the certificates.
 */

import { isRecord } from '../../contract/is-record.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { defaultRuntimeKind } from '../../contract/runtime-kinds.ts';
import { type AgentConfig, agentConfigSchema, isAgentId } from '../../core/agents/agent-config.ts';
import { checkTriple } from '../../core/agents/runtime-triple.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { kemKeyOf } from '../../core/puffo/certificates.ts';
import type { Identity, IdentitySecrets } from '../../core/puffo/identity.ts';
import { deriveRoleShort } from '../../core/puffo/role.ts';
import type { DeviceCert, IdentityCert, SlugBinding } from '../../core/puffo/wire.ts';
import { type Fields, permissionFault, readFields, roleFault, textFault, textIn } from './body-fields.ts';
import { jsonResponse, refusal } from './bridge-types.ts';
import { checkAttestation, checkDevice, checkIdentity, checkSlug } from './cert-checks.ts';
import { type BridgeRoute, bridgeFailed, type RouteContext } from './route-context.ts';

interface Sections {
  readonly top: Fields;
  readonly core: Fields;
  readonly runtime: Fields;
  readonly bundle: Fields;
}

const coreNames = ['server_url', 'slug', 'device_id', 'space_id'] as const;
const certNames = ['identity_cert', 'device_cert', 'operator_attestation', 'slug_binding'] as const;
const secretNames = ['root_secret_key', 'device_signing_secret_key', 'kem_secret_key'] as const;

function readSections(top: Fields): Result<Sections, string> {
  const { puffo_core: core, runtime, identity_bundle: bundle } = top;
  if (!isRecord(bundle) || !isRecord(core) || !isRecord(runtime)) {
    return err('identity_bundle, puffo_core, and runtime are required');
  }
  if (!certNames.every((name) => isRecord(bundle[name]))) {
    return err(`identity_bundle missing one of ${certNames.join('/')}`);
  }
  const odd =
    textFault(top, ['display_name', 'avatar_url', 'role', 'role_short', 'profile']) ??
    textFault(core, [...coreNames, 'operator_slug']) ??
    textFault(runtime, ['kind', 'provider', 'model', 'api_key', 'harness', 'permission_mode']) ??
    textFault(bundle, secretNames);
  return odd === null ? ok({ top, core, runtime, bundle }) : err(odd);
}

interface Certificates {
  readonly identity: IdentityCert;
  readonly device: DeviceCert;
  readonly binding: SlugBinding;
}

function checkCertificates(
  { crypto, clock, pairing }: RouteContext,
  bundle: Fields,
): Result<Certificates, string> {
  const identity = checkIdentity(crypto, bundle.identity_cert);
  if (!identity.ok) return identity;
  if (identity.value.identity_type !== 'agent') return err("identity_cert.identity_type must be 'agent'");
  if (!identity.value.declared_operator_public_key) {
    return err('identity_cert.declared_operator_public_key required for agent identity');
  }
  if (identity.value.declared_operator_public_key !== pairing.root_public_key) {
    return err('identity_cert.declared_operator_public_key does not match paired operator');
  }
  const device = checkDevice(crypto, bundle.device_cert, identity.value, clock.now());
  if (!device.ok) return device;
  const binding = checkSlug(crypto, bundle.slug_binding, identity.value);
  if (!binding.ok) return binding;
  const attested = checkAttestation(crypto, bundle.operator_attestation, identity.value);
  if (!attested.ok) return attested;
  return ok({ identity: identity.value, device: device.value, binding: binding.value });
}

function checkCore(core: Fields, { device, binding }: Certificates): string | null {
  if (!coreNames.every((name) => textIn(core, name)?.trim())) {
    return `puffo_core block must include ${coreNames.join(', ')}`;
  }
  if (core.slug !== binding.slug) return 'puffo_core.slug != slug_binding.slug';
  return core.device_id === device.device_id ? null : 'puffo_core.device_id != device_cert.device_id';
}

const withoutPadding = (key: string): string => key.replace(/=+$/, '');

/** The secrets as bytes, if each matches a key in the certificates. */
function readSecrets(
  crypto: CryptoEngine,
  bundle: Fields,
  { identity, device }: Certificates,
): Result<IdentitySecrets, string> {
  const [root, deviceSigning, kem] = secretNames.map((name) => fromBase64Url(textIn(bundle, name) ?? ''));
  if (root?.length !== 32) return err('root_secret_key must be 32 bytes');
  if (deviceSigning?.length !== 32) return err('device_signing_secret_key must be 32 bytes');
  if (kem?.length !== 32) return err('kem_secret_key must be 32 bytes');
  const pairs = [
    ['root_secret_key', crypto.ed25519KeyPair(root).public, identity.root_public_key],
    [
      'device_signing_secret_key',
      crypto.ed25519KeyPair(deviceSigning).public,
      device.keys.signing.public_key,
    ],
    ['kem_secret_key', crypto.x25519KeyPair(kem).public, kemKeyOf(device) ?? ''],
  ] as const;
  const wrong = pairs.find(([, made, named]) => toBase64Url(made) !== withoutPadding(named));
  return wrong ? err(`${wrong[0]} does not belong to the certificates`) : ok({ root, deviceSigning, kem });
}

function readConfig({ top, core, runtime }: Sections, now: number): Result<AgentConfig, string> {
  const role = textIn(top, 'role') ?? '';
  const { kind, provider, model, harness, permission_mode, max_turns } = runtime;
  const parsed = agentConfigSchema().safeParse({
    state: 'running',
    display_name: textIn(top, 'display_name')?.trim() || core.slug,
    avatar_url: textIn(top, 'avatar_url')?.trim(),
    role,
    role_short: top.role_short || deriveRoleShort(role),
    created_at: Math.floor(now / 1000),
    puffo_core: core,
    runtime: { kind, provider, model, harness, permission_mode, max_turns },
  });
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return err(`${issue?.path.join('.') ?? 'body'} ${issue?.message ?? 'does not fit'}`);
}

function checkRuntime({ runtime }: Sections): string | null {
  const triple = checkTriple({
    kind: textIn(runtime, 'kind') || defaultRuntimeKind,
    provider: textIn(runtime, 'provider') ?? '',
    harness: textIn(runtime, 'harness') || 'claude-code',
  });
  return triple.ok ? permissionFault(runtime) : `runtime: ${triple.error.message}`;
}

interface Wish {
  readonly id: string;
  readonly config: AgentConfig;
  readonly profile: string;
  readonly apiKey: string;
  readonly identity: Identity;
}

/** Checks in the order that clients know; the error is the text of the 400. */
function readWish(context: RouteContext): Result<Wish, string> {
  const fields = readFields(context.request, context.parseJson);
  const sections = fields.ok ? readSections(fields.value) : fields;
  if (!sections.ok) return sections;
  const { top, core, runtime, bundle } = sections.value;
  const certs = checkCertificates(context, bundle);
  if (!certs.ok) return certs;
  const id = certs.value.binding.slug;
  const profile = textIn(top, 'profile') ?? '';
  const fault =
    checkCore(core, certs.value) ??
    (isAgentId(id) ? null : `slug '${id}' is not a valid agent id`) ??
    (context.home.get(id) ? alreadyThere(id) : null) ??
    roleFault(textIn(top, 'role'), textIn(top, 'role_short')) ??
    (profile.trim() === '' ? 'profile (markdown body) is required' : null) ??
    checkRuntime(sections.value);
  if (fault !== null) return err(fault);
  const secrets = readSecrets(context.crypto, bundle, certs.value);
  if (!secrets.ok) return secrets;
  const config = readConfig(sections.value, context.clock.now());
  if (!config.ok) return config;
  const identity = {
    slug: id,
    deviceId: certs.value.device.device_id,
    serverUrl: config.value.puffo_core.server_url,
    secrets: secrets.value,
    identityCert: certs.value.identity,
    slugBinding: certs.value.binding,
    deviceCert: certs.value.device,
  };
  return ok({ id, config: config.value, profile, apiKey: textIn(runtime, 'api_key') ?? '', identity });
}

const alreadyThere = (id: string): string => `agent '${id}' already exists on this daemon`;

export const provision: BridgeRoute = async (context) => {
  const wish = readWish(context);
  if (!wish.ok) return refusal(400, wish.error);
  const { id } = wish.value;
  const adopted = await context.home.adopt(wish.value);
  if (adopted.ok) return jsonResponse(201, { agent_id: id, agent_dir: adopted.value.folder });
  return adopted.error.code === 'conflict' ? refusal(400, alreadyThere(id)) : bridgeFailed(adopted.error);
};
