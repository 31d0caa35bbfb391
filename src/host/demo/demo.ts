import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import { agentConfigSchema, isConfigured } from '../../core/agents/agent-config.ts';
import { replaceSoul } from '../../core/agents/profile.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import { channelIdSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import { ownSpaceName, registerIdentity } from '../agents/register-agent.ts';
import type { HostContext } from '../context.ts';
import { type RecordFile, recordFile } from '../record-file.ts';
import { waitUntil } from '../wait-until.ts';
import { type DemoAgent, demoAgents, demoDisplayName, demoUsername, greeting } from './cast.ts';

const demoRecord = z.object({
  /** The vault was created for the demo and is removed with it. */
  ownVault: z.boolean(),
  spaceId: spaceIdSchema.nullable(),
  channelId: channelIdSchema.nullable(),
  /** Chosen before sending, so that a repeated start sends the greeting only once. */
  greetingId: z.string().nullable(),
  complete: z.boolean(),
});
export type DemoRecord = z.infer<typeof demoRecord>;

export interface DemoPlace {
  readonly operator: string;
  readonly spaceId: SpaceId;
  readonly channelId: ChannelId;
}

export const demoFile = (context: Pick<HostContext, 'disk' | 'layout'>): RecordFile<DemoRecord> =>
  recordFile(context.disk, context.layout.demoFile, demoRecord);

const onlineMs = 15_000;
const joinMs = 15_000;

const tooSlow = (what: string) =>
  appError('timeout', `The demo could not be finished: ${what}. What was made is kept.`, {
    hint: 'Try it once more.',
  });

/** Each step checks what already exists, so an interrupted build continues. */
export async function buildDemo(context: HostContext): Promise<Result<DemoPlace>> {
  const file = demoFile(context);
  const before = file.read();
  if (!before.ok) return before;
  const start = before.value ?? {
    ownVault: context.secrets.state() === 'none',
    spaceId: null,
    channelId: null,
    greetingId: null,
    complete: false,
  };
  const someone = context.operator.record();
  if (!someone.ok) return someone;
  if (!before.value && someone.value) {
    return err(
      appError('conflict', 'You are signed up already; the demo is for a folder with nobody in it.'),
    );
  }
  const noted = file.write(start);
  if (!noted.ok) return noted;
  const vault = await context.secrets.openForDemo();
  if (!vault.ok) return vault;
  const account = await demoOperator(context);
  if (!account.ok) return account;
  const place = await demoSpace(context, account.value, start);
  if (!place.ok) return place;
  const known: DemoRecord = { ...start, ...place.value };
  const kept = file.write(known);
  if (!kept.ok) return kept;
  for (const agent of demoAgents) {
    const made = await demoAgent(context, agent);
    if (!made.ok) return made;
  }
  const joined = await waitUntil(context.ports.clock, joinMs, () =>
    everybodyIsIn(context, account.value, place.value.channelId),
  );
  if (!joined) return err(tooSlow('its agents did not join the channel in time'));
  const greeted = sendGreeting(context, file, known);
  if (!greeted.ok) return greeted;
  const done = file.write({ ...known, greetingId: greeted.value, complete: true });
  if (!done.ok) return done;
  context.viewChanged();
  return ok({ operator: account.value.slug, ...place.value });
}

async function demoOperator(context: HostContext): Promise<Result<Account>> {
  const parts = await context.openParts();
  if (!parts.ok) return parts;
  const { crypto } = parts.value;
  const relay = await context.relay.start(crypto);
  if (!relay.ok) return relay;
  const started = await context.operator.start(parts.value);
  if (!started.ok) return started;
  let session = started.value;
  if (!session) {
    const { signUp } = await import('../../services/puffo/enrolment.ts');
    const identity = await signUp({
      serverUrl: relay.value.url,
      inviteCode: await relay.value.createInvite(),
      username: demoUsername,
      displayName: demoDisplayName,
      crypto,
      clock: context.ports.clock,
    });
    if (!identity.ok) return identity;
    const adopted = await context.operator.adopt(parts.value, identity.value, demoDisplayName);
    if (!adopted.ok) return adopted;
    session = adopted.value;
  }
  const { account } = session.self;
  context.fleet.begin(parts.value);
  context.viewChanged();
  const online = await waitUntil(
    context.ports.clock,
    onlineMs,
    () => account.connection().state === 'online',
  );
  return online ? ok(account) : err(tooSlow('your account did not come online in time'));
}

async function demoSpace(
  context: HostContext,
  account: Account,
  record: DemoRecord,
): Promise<Result<Pick<DemoPlace, 'spaceId' | 'channelId'>>> {
  const refreshed = await account.refreshRooms();
  if (!refreshed.ok) return refreshed;
  const find = () => {
    const { spaces, channels } = account.rooms();
    const space = spaces.find(({ id, name }) =>
      record.spaceId ? id === record.spaceId : name === ownSpaceName,
    );
    const channel = channels.find(({ spaceId }) => spaceId === space?.id);
    return space && channel ? { spaceId: space.id, channelId: channel.id } : null;
  };
  let place = find();
  if (!place) {
    const created = await account.createSpace(ownSpaceName);
    if (!created.ok) return created;
    place = { spaceId: created.value.spaceId, channelId: created.value.generalChannelId };
    await account.refreshRooms();
  }
  const home = context.operator.setHomeSpace(place.spaceId);
  return home.ok ? ok(place) : home;
}

function newDemoAgent(agent: DemoAgent, now: number) {
  const base = agentConfigSchema().parse({});
  return {
    id: agent.id,
    config: {
      ...base,
      display_name: agent.displayName,
      role: agent.role,
      role_short: agent.roleShort,
      created_at: Math.floor(now / 1000),
      puffo_core: { ...base.puffo_core, server_url: '' },
      runtime: { ...base.runtime, provider: 'scripted' },
    },
    profile: replaceSoul(`# ${agent.displayName}\n`, agent.soul),
  };
}

async function demoAgent(context: HostContext, agent: DemoAgent): Promise<Result<void>> {
  const known = context.agents.get(agent.id);
  const made = known ? ok(known) : context.agents.create(newDemoAgent(agent, context.ports.clock.now()));
  if (!made.ok) return made;
  if (isConfigured(configInForce(made.value))) {
    context.fleet.apply();
    return inviteAgain(context, configInForce(made.value).puffo_core.slug);
  }
  const registered = await registerIdentity(context, made.value);
  return registered.ok ? ok(undefined) : registered;
}

/** Repeats the invitation for a demo that stopped between registration and invitation. */
async function inviteAgain(context: HostContext, slug: string): Promise<Result<void>> {
  const operator = context.operator.session();
  const spaceId = operator?.record.homeSpaceId;
  if (!operator || !spaceId) return ok(undefined);
  const inside = operator.self.account
    .rooms()
    .channels.some(({ members }) => members.some((m) => m.slug === slug));
  if (inside) return ok(undefined);
  const invited = await operator.self.account.inviteToSpace(spaceId, slug);
  return invited.ok || invited.error.code === 'conflict' ? ok(undefined) : invited;
}

const slugOf = (context: HostContext, id: string): string =>
  context.agents.get(id)?.lastGood?.puffo_core.slug ?? '';

async function everybodyIsIn(context: HostContext, account: Account, channelId: string): Promise<boolean> {
  const online = demoAgents.every(({ id }) => context.fleet.account(id)?.connection().state === 'online');
  if (!online) return false;
  await account.refreshRooms();
  const members = account.rooms().channels.find(({ id }) => id === channelId)?.members ?? [];
  return demoAgents.every(({ id }) => members.some(({ slug }) => slug === slugOf(context, id)));
}

/** Sends the guide's greeting through the relay, sealed like every message. */
function sendGreeting(
  context: HostContext,
  file: RecordFile<DemoRecord>,
  record: DemoRecord,
): Result<string> {
  const post = context.fleet.post('guide');
  const { spaceId, channelId } = record;
  if (!post?.store || !post.account) return err(tooSlow('its guide did not start'));
  const greetingId = record.greetingId ?? newEnvelopeId(context.ports.random);
  const noted = record.greetingId ? ok(undefined) : file.write({ ...record, greetingId });
  if (!noted.ok) return noted;
  post.store.enqueue(
    {
      envelopeId: greetingId,
      kind: 'channel',
      spaceId,
      channelId,
      recipientSlug: null,
      threadRootId: null,
      contentType: 'text/plain',
      content: greeting,
      visible: true,
      createdAt: context.ports.clock.now(),
    },
    post.slug,
  );
  post.account.kickOutbox();
  return ok(greetingId);
}
