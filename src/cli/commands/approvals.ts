import type { AllowScope, Approval, ApprovalAnswer } from '../../contract/consent.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { approvalCells, approvalHeads, approvalRow, approvalText, grantRow } from '../approval-text.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { askYes, canAsk, exitFailed, exitOk, refusedAnswer, show, usageError } from '../terminal.ts';
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
  if (id === '') throw usageError(cliMessage('cliApprovals.whichOne'));
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
  if (wanted.length > 1) throw usageError(cliMessage('cliApprovals.oneScope'));
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
      throw usageError(cliMessage('cliApprovals.notOffered', { scope }));
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
    throw usageError(cliMessage('cliApprovals.answerIsJson'));
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
  if (!how) throw usageError(cliMessage('cliApprovals.sayOutcome'));
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
  summary: 'List open questions',
  options: [
    { flags: '--all', summary: 'answered ones too' },
    { flags: '--agent <agent>', summary: 'only of this agent' },
    { flags: '--limit <number>', summary: 'how many', fallback: '50' },
  ],
  examples: [
    ['approvals list', 'List what waits for you'],
    ['approvals list --all --limit 10', 'List the last ten, answered ones too'],
    ['approvals list --agent guide --json', 'Print the questions of one agent as JSON'],
  ],
  run: runList,
});

const showApproval = defineCommand({
  verb: 'show',
  args: '<id>',
  summary: 'Show a question with all its details',
  examples: [
    ['approvals show 3f2a', 'Show a question by the beginning of its id'],
    ['approvals show 3f2a --json', 'Print it as JSON'],
    ['approvals list', 'Find its id'],
  ],
  run: runShow,
});

const allow = defineCommand({
  verb: 'allow',
  args: '<id>',
  summary: 'Allow it once, or more often',
  options: [
    { flags: '--session', summary: 'also similar calls until Kennel stops' },
    { flags: '--exact', summary: 'also exactly this call, always' },
    { flags: '--pattern', summary: 'also everything that matches its pattern, always' },
  ],
  examples: [
    ['approvals allow 3f2a', 'Allow it once'],
    ['approvals allow 3f2a --session', 'Allow similar calls until Kennel stops'],
    ['approvals allow 3f2a --exact', 'Always allow exactly this'],
  ],
  run: runAllow,
});

const deny = defineCommand({
  verb: 'deny',
  args: '<id> [reason...]',
  summary: 'Deny it and tell the agent why',
  examples: [
    ['approvals deny 3f2a', 'Deny it'],
    ['approvals deny 3f2a "Use the other folder"', 'Deny it with a reason'],
    ['approvals deny 3f2a --json', 'Print the decision as JSON'],
  ],
  run: runDeny,
});

const respond = defineCommand({
  verb: 'respond',
  args: '<id> <json>',
  summary: 'Answer a workflow that asks for input, as JSON',
  examples: [
    ['approvals show 3f2a', 'See the form of the answer'],
    [`approvals respond 3f2a '{"n": 3}'`, 'Answer it'],
    [`approvals respond 3f2a '{"n": 3}' --json`, 'Print the decision as JSON'],
  ],
  run: runRespond,
});

const settle = defineCommand({
  verb: 'settle',
  args: '<id> <done|repeat|cancel>',
  summary: 'Say what became of an interrupted step of a workflow',
  examples: [
    ['approvals settle 3f2a done', 'It happened: continue after it'],
    ['approvals settle 3f2a repeat', 'It did not happen: do it again'],
    ['approvals settle 3f2a cancel', 'End the run'],
  ],
  run: runSettle,
});

const grants = defineCommand({
  verb: 'grants',
  summary: 'List standing permissions',
  options: [{ flags: '--agent <agent>', summary: 'only of this agent' }],
  examples: [
    ['approvals grants', 'List all permissions'],
    ['approvals grants --agent guide', 'List those of one agent'],
    ['approvals grants --json', 'Print them as JSON'],
  ],
  run: runGrants,
});

const revoke = defineCommand({
  verb: 'revoke',
  args: '<id>',
  summary: 'Remove a standing permission',
  examples: [
    ['approvals revoke GRANT', 'Remove a permission'],
    ['approvals grants', 'Find its id'],
    ['approvals revoke GRANT --json', 'Print the result as JSON'],
  ],
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
