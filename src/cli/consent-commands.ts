import type { Command } from 'commander';
import { act } from './act.ts';

// Commands about approvals, standing answers and the audit log: `approvals`, `audit`, `policy`.

const approvals = async () => import('./commands/approvals.ts');

function addApprovalCommands(program: Command, exit: { code: number }): void {
  const group = program.command('approvals').description('what your agents ask before they do it');
  const list = group.command('list').description('what waits for you');
  list
    .option('--all', 'answered ones too')
    .option('--agent <id>', 'of one agent')
    .option('--limit <number>', 'how many', '50');
  act(list, exit, async () => (await approvals()).runList);
  act(
    group.command('show <id>').description('the whole question'),
    exit,
    async () => (await approvals()).runShow,
  );
  const allow = group.command('allow <id>').description('allow it once');
  allow
    .option('--session', 'and the like of it until Kennel stops')
    .option('--exact', 'and exactly this always')
    .option('--pattern', 'and whatever fits its pattern always');
  act(allow, exit, async () => (await approvals()).runAllow);
  act(
    group.command('deny <id> [reason...]').description('deny it; the agent is told the reason'),
    exit,
    async () => (await approvals()).runDeny,
  );
  act(
    group.command('respond <id> <json>').description('answer what a workflow asks for, as JSON'),
    exit,
    async () => (await approvals()).runRespond,
  );
  act(
    group
      .command('settle <id> <how>')
      .description('of an interrupted step of a workflow: done, repeat or cancel'),
    exit,
    async () => (await approvals()).runSettle,
  );
  const grants = group.command('grants').description('your standing answers');
  grants.option('--agent <id>', 'of one agent');
  act(grants, exit, async () => (await approvals()).runGrants);
  act(
    group.command('revoke <id>').description('take a standing answer back'),
    exit,
    async () => (await approvals()).runRevoke,
  );
}

export function addConsentCommands(program: Command, exit: { code: number }): void {
  addApprovalCommands(program, exit);
  const audit = program.command('audit').description('what was done; needs no running host');
  act(
    audit.command('verify').description('check that nobody changed the log'),
    exit,
    async () => (await import('./commands/audit.ts')).runVerify,
  );
  const show = audit.command('show').description('the newest lines');
  show.option('--agent <id>', 'of one agent').option('--limit <number>', 'how many', '50');
  act(show, exit, async () => (await import('./commands/audit.ts')).runShow);
  const policy = program.command('policy').description('rules about what agents may do');
  const test = policy.command('test <rules>').description('what a file of rules would have decided lately');
  test.option('--days <number>', 'how far back', '30').option('--agent <id>', 'of one agent');
  act(test, exit, async () => (await import('./commands/policy.ts')).runTest);
}
