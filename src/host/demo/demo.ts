import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Operator } from '../identity/operator.ts';
import type { RecordFile } from '../stores/record-file.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { DemoAgents } from './demo-agents.ts';
import { tooSlow } from './demo-errors.ts';
import type { DemoRecord } from './demo-file.ts';
import { demoAgents } from './demo-profiles.ts';
import { type DemoSpace, openDemoSpace } from './demo-space.ts';

export interface DemoPlace extends DemoSpace {
  readonly operator: string;
}

export interface DemoDeps {
  readonly file: RecordFile<DemoRecord>;
  readonly secrets: Pick<Secrets, 'state' | 'openForDemo'>;
  readonly operator: Pick<Operator, 'record' | 'setHomeSpace'>;
  startOperator(): Promise<Result<Account>>;
  readonly agents: DemoAgents;
  /** Returns the id of the greeting. */
  sendGreeting(record: DemoRecord): Result<string>;
}

/** Saves what the demo is about to make, before it makes anything; an interrupted demo keeps its record. */
function begin({ file, secrets, operator }: DemoDeps): Result<DemoRecord> {
  const before = file.read();
  if (!before.ok) return before;
  const someone = operator.record();
  if (!someone.ok) return someone;
  if (!before.value && someone.value) {
    return err(fail('conflict', 'identity.demoNeedsEmptyFolder'));
  }
  const record = before.value ?? {
    ownVault: secrets.state() === 'none',
    spaceId: null,
    channelId: null,
    greetingId: null,
    complete: false,
  };
  const noted = file.write(record);
  return noted.ok ? ok(record) : noted;
}

/** Each step checks what already exists, so an interrupted build continues. */
export async function buildDemo(deps: DemoDeps): Promise<Result<DemoPlace>> {
  const { file, secrets, operator, agents } = deps;
  const start = begin(deps);
  if (!start.ok) return start;
  const vault = await secrets.openForDemo();
  if (!vault.ok) return vault;
  const account = await deps.startOperator();
  if (!account.ok) return account;
  const place = await openDemoSpace(operator, account.value, start.value);
  if (!place.ok) return place;
  const known: DemoRecord = { ...start.value, ...place.value };
  const kept = file.write(known);
  if (!kept.ok) return kept;
  for (const agent of demoAgents) {
    const made = await agents.make(agent, place.value.channelId);
    if (!made.ok) return made;
  }
  const joined = await agents.awaitJoined(account.value, place.value.channelId);
  if (!joined) return err(tooSlow('its agents did not join the channel in time'));
  const greeted = deps.sendGreeting(known);
  if (!greeted.ok) return greeted;
  const done = file.write({ ...known, greetingId: greeted.value, complete: true });
  return done.ok ? ok({ operator: account.value.slug, ...place.value }) : done;
}
