import type { AllowScope, Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { approvalCells, approvalHeads, approvalRow, approvalText, grantRow } from '../approval-text.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { askYes, canAsk, commandFailure, exitFailed, exitOk, refusedAnswer, show } from '../terminal.ts';
import { visibleExactLine } from '../visible-text.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface Flags {
  readonly json?: boolean;
}

interface ListFlags extends Flags {
  readonly agent?: string;
  readonly all?: boolean;
  readonly limit: string;
}

async function runList(_args: readonly string[], flags: ListFlags): Promise<number> {
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  return withHost('running-host', async ({ call }) => {
    const page = await call('approvals.list', {
      state: flags.all ? 'all' : 'waiting',
      limit,
      ...(flags.agent ? { agent: flags.agent } : {}),
    });
    const rows = page.approvals.map(approvalCells);
    show(
      flags.json === true,
      page,
      rows.length === 0 ? copy('cliApprovals.caughtUp') : columnsText(approvalHeads(), rows),
    );
    return exitOk;
  });
}

const idOf = (args: readonly string[]): string => {
  const [id = ''] = args;
  if (id === '') throw commandFailure('invalid_input', 'cliApprovals.whichOne');
  return id;
};

async function runShow(args: readonly string[], flags: Flags): Promise<number> {
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
  if (wanted.length > 1) throw commandFailure('invalid_input', 'cliApprovals.oneScope');
  return (wanted[0] || 'once') as AllowScope;
}

function wordsFor(answer: ApprovalAnswer): string {
  switch (answer.type) {
    case 'allow':
      return copy('cliApprovals.allowed', { scope: answer.scope });
    case 'deny':
      return copy('cliApprovals.denied');
    case 'settle':
      return copy('cliApprovals.settled', { how: answer.how });
    case 'respond':
    case 'not_now':
      return copy('cliApprovals.answered');
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
  const more =
    state === 'waiting' && gate
      ? copy('cliApprovals.agreedSoFar', { length: gate.votes.length, needed: gate.needed })
      : '';
  const receipt = decided.receipt ? copy('cliApprovals.receipt', { id: decided.receipt.id }) : '';
  show(
    json,
    decided,
    copy('cliApprovals.decided', {
      answer: wordsFor(answer),
      approval: approvalRow(decided.approval),
      more,
      receipt,
      digest,
    }),
  );
  return exitOk;
}

async function runAllow(args: readonly string[], flags: AllowFlags): Promise<number> {
  const id = idOf(args);
  const scope = scopeOf(flags);
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    const offer = approval.offers.find((offered) => offered.scope === scope);
    if (approval.state === 'waiting' && !offer)
      throw commandFailure('invalid_input', 'cliApprovals.notOffered', { scope });
    if (flags.json !== true && canAsk()) {
      process.stdout.write(`${approvalText(approval)}\n\n`);
      if (
        !(await askYes(copy('cliApprovals.allowQuestion', { rule: visibleExactLine(offer?.rule ?? scope) })))
      ) {
        process.stdout.write(copy('cliApprovals.nothingDecided'));
        return exitFailed;
      }
    }
    return decide(session, approval, { type: 'allow', scope }, flags.json === true);
  });
}

async function runDeny(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const reason = args.slice(1).join(' ');
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'deny', reason }, flags.json === true);
  });
}

async function runRespond(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const [, text = ''] = args;
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw commandFailure('invalid_input', 'cliApprovals.answerIsJson');
  }
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'respond', response }, flags.json === true);
  });
}

const settles = ['done', 'repeat', 'cancel'] as const;

async function runSettle(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  const how = settles.find((word) => word === args[1]);
  if (!how) throw commandFailure('invalid_input', 'cliApprovals.sayOutcome');
  return withHost('running-host', async (session) => {
    const { approval } = await session.call('approvals.get', { id });
    return decide(session, approval, { type: 'settle', how }, flags.json === true);
  });
}

async function runGrants(_args: readonly string[], flags: ListFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('grants.list', flags.agent ? { agent: flags.agent } : {});
    show(flags.json === true, found, found.grants.map(grantRow).join('\n') || copy('cliApprovals.noGrants'));
    return exitOk;
  });
}

async function runRevoke(args: readonly string[], flags: Flags): Promise<number> {
  const id = idOf(args);
  return withHost('running-host', async ({ call }) => {
    await call('grants.revoke', { id });
    show(flags.json === true, { id }, copy('cliApprovals.revoked'));
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  options: [{ flags: '--all' }, { flags: '--agent <agent>' }, { flags: '--limit <number>', fallback: '50' }],
  examples: ['approvals list', 'approvals list --all --limit 10', 'approvals list --agent guide --json'],
  run: runList,
});

const showApproval = defineCommand({
  verb: 'show',
  args: '<id>',
  examples: ['approvals show 3f2a', 'approvals show 3f2a --json', 'approvals list'],
  run: runShow,
});

const allow = defineCommand({
  verb: 'allow',
  args: '<id>',
  options: [{ flags: '--session' }, { flags: '--exact' }, { flags: '--pattern' }],
  examples: ['approvals allow 3f2a', 'approvals allow 3f2a --session', 'approvals allow 3f2a --exact'],
  run: runAllow,
});

const deny = defineCommand({
  verb: 'deny',
  args: '<id> [reason...]',
  examples: [
    'approvals deny 3f2a',
    'approvals deny 3f2a "Use the other folder"',
    'approvals deny 3f2a --json',
  ],
  run: runDeny,
});

const respond = defineCommand({
  verb: 'respond',
  args: '<id> <json>',
  examples: [
    'approvals show 3f2a',
    `approvals respond 3f2a '{"n": 3}'`,
    `approvals respond 3f2a '{"n": 3}' --json`,
  ],
  run: runRespond,
});

const settle = defineCommand({
  verb: 'settle',
  args: '<id> <done|repeat|cancel>',
  examples: ['approvals settle 3f2a done', 'approvals settle 3f2a repeat', 'approvals settle 3f2a cancel'],
  run: runSettle,
});

const grants = defineCommand({
  verb: 'grants',
  options: [{ flags: '--agent <agent>' }],
  examples: ['approvals grants', 'approvals grants --agent guide', 'approvals grants --json'],
  run: runGrants,
});

const revoke = defineCommand({
  verb: 'revoke',
  args: '<id>',
  examples: ['approvals revoke GRANT', 'approvals grants', 'approvals revoke GRANT --json'],
  run: runRevoke,
});

export const approvalsCommands: readonly CommandSpec[] = [
  list,
  showApproval,
  allow,
  deny,
  respond,
  settle,
  grants,
  revoke,
];
