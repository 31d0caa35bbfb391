import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { RecordFile } from '../stores/record-file.ts';
import { tooSlow } from './demo-errors.ts';
import type { DemoRecord } from './demo-file.ts';
import { greeting } from './demo-profiles.ts';

export interface GreetingDeps {
  readonly file: RecordFile<DemoRecord>;
  /** The running guide, or `null`; its store and account are `null` until they are open. */
  guide(): {
    readonly slug: string;
    readonly store: AccountStore | null;
    readonly account: Account | null;
  } | null;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sends the guide's greeting through the relay, sealed like every message. */
export function sendGreeting(deps: GreetingDeps, record: DemoRecord): Result<string> {
  const { file, clock, random } = deps;
  const post = deps.guide();
  const { spaceId, channelId } = record;
  if (!post?.store || !post.account) return err(tooSlow('its guide did not start'));
  const greetingId = record.greetingId ?? newEnvelopeId(random);
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
      createdAt: clock.now(),
    },
    post.slug,
  );
  post.account.kickOutbox();
  return ok(greetingId);
}
