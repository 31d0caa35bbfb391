import type { AllowScope, Approval, ApprovalAnswer } from '../../contract/consent.ts';
import { approvalRow, approvalText, grantRow } from '../approval-text.ts';
import { type HostSession, withHost } from '../session.ts';
import { askInTerminal, canAsk, exitFailed, exitOk, refusedAnswer, show, usage } from '../terminal.ts';
import { visibleExactLine } from '../visible-text.ts';

interface Flags {
  readonly json?: boolean;
}

interface ListFlags extends Flags {
  readonly agent?: string;
  readonly all?: boolean;
  readonly limit: string;
}

export async function runList(_args: readonly string[], flags: ListFlags): Promise<number> {
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw usage('--limit takes a number from 1 to 200.');
  return withHost('running-host', async ({ call }) => {
    const page = await call('approvals.list', {
      state: flags.all ? 'all' : 'waiting',
      limit,
      ...(flags.agent ? { agent: flags.agent } : {}),
    });
    const lines = page.approvals.map(approvalRow);
    show(flags.json === true, page, lines.join('\n') || 'You’re all caught up.');
    return exitOk;
  });
}

const idOf = (args: readonly string[]): string => {
  const [id = ''] = args;
  if (id === '') throw usage('Which one? "kennel approvals list" shows their ids.');
  return id;
};

export async function runShow(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  return withHost('running-host', async ({ call }) => {
    const found = await call('approvals.get', { id });
    show(flags.json === true, found, approvalText(found.approval));
    return exitOk;
  });
}

interface AllowFlags extends Flags {
  readonly session?: boolean;
  readonly exact?: boolean;
  readonly pattern?: boolean;
}

function scopeOf({ session, exact, pattern }: AllowFlags): AllowScope {
  const wanted = [session && 'session', exact && 'exact', pattern && 'pattern'].filter(Boolean);
  if (wanted.length > 1) throw usage('One of --session, --exact and --pattern, not several.');
  return (wanted[0] || 'once') as AllowScope;
}

function wordsFor(answer: ApprovalAnswer): string {
  switch (answer.type) {
    case 'allow':
      return `Allowed (${answer.scope})`;
    case 'deny':
      return 'Denied';
    case 'settle':
      return `Settled (${answer.how})`;
    case 'respond':
    case 'not_now':
      return 'Answered';
  }
}

/** Sends the digest of the question as shown with the answer. */
async function decide(
  { client }: HostSession,
  approval: Approval,
  answer: ApprovalAnswer,
  json: boolean,
): Promise<number> {
  const { id, digest } = approval;
  const told = await client.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
  if (!told.ok) throw refusedAnswer(told.error);
  const decided = told.value;
  const { state, gate } = decided.approval;
  // More than one approval is required.
  const more = state === 'waiting' && gate ? ` ${gate.votes.length} of ${gate.needed} have agreed.` : '';
  const receipt = decided.receipt ? ` Receipt ${decided.receipt.id}.` : '';
  show(
    json,
    decided,
    `${wordsFor(answer)}: ${approvalRow(decided.approval)}.${more}${receipt}\nDigest: ${digest}`,
  );
  return exitOk;
}

export async function runAllow(args: readonly string[], flags: AllowFlags): Promise<number> {
  const id = idOf(args);
  const scope = scopeOf(flags);
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    const offer = approval.offers.find((offered) => offered.scope === scope);
    if (approval.state === 'waiting' && !offer) throw usage(`"${scope}" is not on offer for this one.`);
    if (flags.json !== true && canAsk()) {
      process.stdout.write(`${approvalText(approval)}\n\n`);
      const said = await askInTerminal(`Allow ${visibleExactLine(offer?.rule ?? scope)}? [y/N] `);
      if (!/^(y|yes)$/i.test(said)) {
        process.stdout.write('Nothing was decided.\n');
        return exitFailed;
      }
    }
    return decide(session, approval, { type: 'allow', scope }, flags.json === true);
  });
}

export async function runDeny(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const reason = args.slice(1).join(' ');
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'deny', reason }, flags.json === true);
  });
}

export async function runRespond(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const [, text = ''] = args;
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw usage(`The answer is one argument of JSON, such as '{"n": 3}'.`);
  }
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'respond', response }, flags.json === true);
  });
}

const settles = ['done', 'repeat', 'cancel'] as const;

export async function runSettle(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const how = settles.find((word) => word === args[1]);
  if (!how) throw usage('Say what became of it: done, repeat or cancel.');
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'settle', how }, flags.json === true);
  });
}

export async function runGrants(_args: readonly string[], flags: ListFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('grants.list', flags.agent ? { agent: flags.agent } : {});
    show(
      flags.json === true,
      found,
      found.grants.map(grantRow).join('\n') || 'There are no standing answers.',
    );
    return exitOk;
  });
}

export async function runRevoke(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  return withHost('running-host', async ({ call }) => {
    await call('grants.revoke', { id });
    show(flags.json === true, { id }, 'Taken back: from now on it asks again.');
    return exitOk;
  });
}
