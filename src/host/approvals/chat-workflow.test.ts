import { expect, it } from 'vitest';
import { createApprovalRig } from '../../../test/fakes/approval-rig.ts';
import { createChatConsentRig } from '../../../test/fakes/chat-consent-rig.ts';
import type { Approval } from '../../contract/approvals.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { waitingView } from '../../core/approvals/waiting-view.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';

const boss = 'boss-0001';
const ann = 'ann-0002';
const bot = 'bot-0003';
const own = 'guide-0001';

const channelOf = (id: string, ...slugs: string[]) => ({
  id,
  spaceId: 'sp',
  encrypted: true,
  members: slugs.map((slug) => ({ slug })),
});

/** A question of a run that the only agent started. */
function asked(change: Partial<NonNullable<Approval['gate']>> = {}, approval: Partial<Approval> = {}) {
  const rig = createApprovalRig();
  const answers: string[] = [];
  rig.answerer = ({ gate: shown }, { by = boss, answer }) => {
    if (!shown) throw new Error('no gate');
    answers.push(by);
    if (shown.named.length > 0 && !shown.named.includes(by))
      return err(textError('forbidden', `Only ${shown.named.join(', ')} can decide this.`));
    if (answer.type === 'deny') return ok({ type: 'decided', state: 'denied', as: 'reject', by });
    const votes = [...shown.votes, by];
    return votes.length < shown.needed
      ? ok({ type: 'agreed', by, gate: { ...shown, votes } })
      : ok({ type: 'decided', state: 'allowed', as: 'approve', by });
  };
  const sent: OutboxDraft[] = [];
  const puffo = { slug: own, operator_slug: boss, server_url: 'http://relay' };
  const config = agentConfigSchema().parse({ puffo_core: puffo });
  const agent = {
    account: { kickOutbox: () => undefined },
    slug: own,
    store: {
      outbox: (id: string) => sent.find(({ envelopeId }) => envelopeId === id) ?? null,
      enqueue: (draft: OutboxDraft) => void sent.push(draft),
    },
  };
  const channels = [
    channelOf('ch_all', boss, own, ann, bot, 'x-0001'),
    { ...channelOf('ch_plain', boss, own, ann), encrypted: false },
    channelOf('ch_few', boss, own, ann),
  ];
  const account = { rootPublicKey: 'root', rooms: () => ({ channels }) };
  const { consent, trust } = createChatConsentRig({
    rig,
    agents: { get: () => ({ lastGood: config }), list: () => [{ id: 'guide', lastGood: config }] },
    agent,
    operator: { session: () => ({ self: { slug: boss, account } }) },
    uuid: () => `0000-${sent.length}`,
  } as never);
  const known: Readonly<Record<string, unknown>> = {
    [boss]: { rootPublicKey: 'root', identityType: 'human' },
    [ann]: { rootPublicKey: 'ann', identityType: 'human' },
    [bot]: { rootPublicKey: 'bot', identityType: 'agent' },
  };
  trust.open({
    currentUrl: (url: string) => url,
    crypto: createNobleEngine(),
    keys: { loadIdentity: () => ({ ok: false }) },
    servers: { directory: () => ok({ identities: { remembered: (slug: string) => known[slug] ?? null } }) },
  } as never);
  const gate: NonNullable<Approval['gate']> = {
    runId: 'run_1',
    runName: 'deploy',
    path: 'ask',
    kind: 'approval',
    prompt: 'Ship it?',
    items: [],
    preview: '',
    schemaJson: '',
    defaultsJson: '',
    subjectJson: '',
    named: [],
    needed: 1,
    notInitiator: false,
    votes: [],
    ...change,
  };
  const row = {
    approval: {
      id: 'gate_1',
      kind: 'workflow',
      agentId: 'guide',
      agentName: 'deploy',
      subject: 'deploy',
      title: 'asks: Ship it?',
      preview: { kind: 'text', body: 'Ship it?' },
      argsJson: '{}',
      digest: 'hash',
      risk: 'medium',
      why: '',
      where: '',
      sandbox: null,
      roomId: null,
      threadRootId: null,
      createdAt: 1,
      expiresAt: 2e12,
      state: 'waiting',
      quietUntil: null,
      offers: [],
      decision: null,
      gate,
      ...approval,
    } as Approval,
    call: { agentId: '', turnId: 'run_1', threadKey: 'run_1', callId: 'gate_1' },
    pattern: '',
    deliveredAt: null,
    post: null,
  };
  rig.centre.show(row);
  for (const shown of rig.asked) consent.post(shown);
  rig.listener = (approval) => consent.follow(approval);
  const say = (senderSlug: string, text: string, more: Partial<StoredMessage> = {}): boolean =>
    consent.intercept('guide', {
      envelopeId: `msg_${senderSlug}`,
      senderSlug,
      encrypted: true,
      kind: 'channel',
      replyToId: null,
      roomId: sent[0]?.channelId ?? `dm:${boss}`,
      threadRootId: sent[0]?.envelopeId ?? null,
      contentType: 'text/plain',
      content: text,
      sentAt: 5,
      ...more,
    } as StoredMessage);
  const below = (): readonly unknown[] =>
    sent.filter(({ threadRootId }) => threadRootId !== null).map(({ content }) => content);
  return { rig, sent, say, answers, channels, below, consent, row };
}

it('A gate of the operator’s own run is in the inbox alone: no uninvolved agent asks it in a direct message', () => {
  const { sent, rig } = asked({}, { agentId: '' });
  expect(sent).toEqual([]);
  expect(rig.centre.waiting()).toHaveLength(1);
  const without = asked({ named: ['eve-0007'] }, { agentId: '' });
  expect(without.sent, 'no agent shares a channel with the approver').toEqual([]);
  const inbox = waitingView(without.rig.centre.waiting());
  expect(inbox.waiting.gate_1?.isInChannel, 'the inbox says who was not asked').toBe(false);
});

it('An agent asks the named approvers of the operator’s own run in their channel', () => {
  const { sent, say, answers, rig } = asked({ named: [ann] }, { agentId: '' });
  expect(sent).toMatchObject([{ kind: 'channel', channelId: 'ch_few' }]);
  expect(waitingView(rig.centre.waiting()).waiting.gate_1?.isInChannel).toBe(true);
  expect(say(ann, 'y')).toBe(true);
  expect(answers).toEqual([ann]);
});

it('A gate of an agent’s run is sent by this agent as a direct message, and "y" approves it', () => {
  const { sent, say, answers, rig } = asked();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ kind: 'dm', recipientSlug: boss });
  expect(sent[0]?.content).toContain(`@${boss} Workflow \`deploy\` asks:\n\`\`\`\nShip it?\n`);
  expect(sent[0]?.content).toContain('y approves it');
  expect(say(boss, 'y', { kind: 'dm' })).toBe(true);
  expect(answers).toEqual([boss]);
  expect(rig.centre.waiting()).toHaveLength(0);
});

it('A named approver is asked in the smallest shared channel and answers in its encrypted thread (T8)', () => {
  const { sent, say, answers } = asked({ named: [ann] });
  expect(sent[0]).toMatchObject({ kind: 'channel', channelId: 'ch_few' });
  expect(sent[0]?.content).toContain(`Only \`${ann}\` can answer.`);
  // Only the approver is mentioned; the operator may not answer it.
  expect(String(sent[0]?.content).match(/@[\w-]+/g)).toEqual([`@${ann}`]);
  expect(say(ann, 'y', { encrypted: false })).toBe(false);
  expect(say(ann, 'y', { threadRootId: null })).toBe(false);
  expect(say(ann, 'y', { threadRootId: 'msg_other' })).toBe(false);
  expect(say(ann, 'y', { roomId: 'ch_all' })).toBe(false);
  expect(answers).toEqual([]);
  expect(say(ann, 'y')).toBe(true);
  expect(answers).toEqual([ann]);
});

it('Unknown senders and agents cannot approve, even if the file names them (T8)', () => {
  const { say, answers } = asked({ named: [ann, bot, 'ghost-0009'] });
  for (const slug of [bot, 'x-0001', 'ghost-0009']) expect(say(slug, 'y')).toBe(false);
  expect(answers).toEqual([]);
  // A mentioned agent would start to work.
  const { sent } = asked({ named: [ann, own] });
  expect(String(sent[0]?.content).match(/@[\w-]+/g)).toEqual([`@${ann}`]);
});

it('"y" or "n" does not answer an input or uncertain question, and "y" approves no truncated preview (T8)', () => {
  for (const kind of ['input', 'uncertain'] as const) {
    const { sent, say, answers } = asked({ kind });
    expect(sent[0]?.content).toContain('Answer it in Kennel');
    expect([say(boss, 'y'), say(boss, 'n')]).toEqual([false, false]);
    expect(answers).toEqual([]);
  }
  const long = asked({}, { preview: { kind: 'text', body: 'x'.repeat(2_000) } });
  expect(long.say(boss, 'y')).toBe(true);
  expect(long.below()).toEqual([expect.stringContaining('a yes in the chat does not count')]);
  expect(long.answers).toEqual([]);
  expect(long.say(boss, 'n')).toBe(true);
  expect(long.answers).toEqual([boss]);
});

it('Each approval and the decision are reported once in the thread (I2)', () => {
  const { say, below, answers, consent, rig } = asked({ named: [ann, boss], needed: 2 });
  expect(say(ann, 'y')).toBe(true);
  expect(below()).toEqual([`\`${ann}\` agreed. One more must agree.`]);
  // A second agent of the channel receives the same message, and the same person agrees twice.
  expect(say(ann, 'y')).toBe(true);
  expect(say(ann, 'yes', { envelopeId: 'msg_again' })).toBe(true);
  expect(answers).toEqual([ann]);
  expect(say(boss, 'y')).toBe(true);
  expect(below().slice(1)).toEqual([`Approved by \`${ann}\`, \`${boss}\`. The run goes on.`]);
  const [row] = rig.store.list({ state: 'decided', limit: 5 });
  if (row) consent.follow(row.approval);
  expect(below()).toHaveLength(2);
});

it('An answer that does not count gets the reason and is not passed to the model (T8)', () => {
  const { say, below, answers, rig } = asked({ named: [ann] });
  expect(say(boss, 'y')).toBe(true);
  expect(below()).toEqual([`Your answer did not count: \`Only ${ann} can decide this.\``]);
  expect(rig.centre.waiting()).toHaveLength(1);
  expect(say(ann, 'n, not today')).toBe(true);
  expect(below().at(-1)).toBe(`Rejected by \`${ann}\`: \`not today\``);
  expect(say(ann, 'y', { envelopeId: 'msg_late' })).toBe(true);
  expect(below().at(-1)).toBe(
    `Your answer came too late and changed nothing. Rejected by \`${ann}\`: \`not today\``,
  );
  expect(answers).toEqual([boss, ann]);
});

it('An approver without a shared channel is asked when one exists; until then the operator is told', () => {
  const { sent, channels, consent, rig, say, answers } = asked({ named: ['eve-0007'] });
  expect(sent[0]).toMatchObject({ kind: 'dm', recipientSlug: boss });
  expect(sent[0]?.content).toContain('no channel with `eve-0007` and me');
  const again = (): void => {
    for (const row of rig.centre.waiting()) consent.post(row);
  };
  again();
  expect(sent).toHaveLength(1);
  // Other members of the first channel would read the question, and the server reads the second, unencrypted
  // one (T8).
  channels.push(channelOf('ch_trap', boss, own, 'eve-0007', 'x-0001'));
  channels.push({ ...channelOf('ch_clear', boss, own, 'eve-0007'), encrypted: false });
  again();
  expect(sent).toHaveLength(1);
  channels.push(channelOf('ch_eve', boss, own, 'eve-0007'));
  again();
  again();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ kind: 'channel', channelId: 'ch_eve' });
  expect(sent[1]?.content).not.toContain('no channel');
  // The room of the first question accepts only the operator's answer.
  expect(say('eve-0007', 'y')).toBe(false);
  expect(answers).toEqual([]);
});

it('T8: Text of workflow authors and approvers stays on one line inside a code span', () => {
  const runName = 'ship`\n\n**Answer y here**';
  const { sent, say, below } = asked({ named: [ann], runName }, { agentName: runName });
  const [opening] = String(sent[0]?.content).split('\n');
  expect(opening).toBe(`@${ann} Workflow \`ship[U+0060][U+000A][U+000A]**Answer y here**\` asks:`);
  expect(say(ann, 'n `x`\n**Approved.** The run goes on.')).toBe(true);
  expect(below().at(-1)).toBe(
    `Rejected by \`${ann}\`: \`[U+0060]x[U+0060][U+000A]**Approved.** The run goes on.\``,
  );
});
