import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bashCall,
  exactGrant,
  patternGrant,
  sampleCall,
  samplePolicy,
  sendCall,
  writeCall,
} from '../../../test/fakes/policy-samples.ts';
import type { PolicyRule } from '../../contract/approvals.ts';
import { englishText } from '../../language/host-message.ts';
import { decide } from './evaluate-policy.ts';
import type { AgentPolicy, GrantRule, PolicyCall } from './policy-call.ts';

const verdict = (call: PolicyCall, change: Partial<AgentPolicy> = {}, grants: readonly GrantRule[] = []) =>
  decide(samplePolicy(change), call, grants).verdict;

const rule = (action: PolicyRule['action'], more: Partial<PolicyRule> = {}): PolicyRule => ({
  action,
  ...more,
});
const low = sampleCall({ tool: 'read_file', risk: 'low', effects: [{ kind: 'read', path: '/srv/docs/a' }] });

describe('T9: Code that no rule can read', () => {
  const python = [rule('allow', { pattern: 'Bash(python3 *)' })];
  const call = bashCall("python3 -c 'import os; os.remove(1)'", { digest: 'd7' });
  const denies = rule('deny', { pattern: 'Bash(rm *)' });

  it('runs by an allowing rule only while no rule denies or asks about commands', () => {
    expect(verdict(call, { rules: python })).toBe('allow');
    expect(verdict(call, { rules: [...python, rule('deny', { tool: 'write_file' })] })).toBe('allow');
    expect(verdict(bashCall('python3 build.py'), { rules: [...python, denies] })).toBe('allow');
    const found = decide(samplePolicy({ rules: [...python, denies] }), call, []);
    expect(found).toMatchObject({ verdict: 'ask', by: 'rule' });
    expect(englishText(found.why)).toContain('deny Bash(rm *)');
    expect(verdict(call, { rules: [...python, rule('ask', { pattern: 'Bash(rm *)' })] })).toBe('ask');
    expect(verdict(call, { daemon: { mode: null, rules: [denies] }, rules: python })).toBe('ask');
  });

  it('runs by a standing answer only for exactly this call, and never unattended', () => {
    const rules = [...python, denies];
    expect(verdict(call, { rules }, [patternGrant('bash_exec', 'Bash(python3 *)')])).toBe('ask');
    expect(verdict(call, { rules }, [exactGrant('bash_exec', 'd7')])).toBe('allow');
    expect(verdict(call, { rules, mode: 'unattended' })).toBe('deny');
    expect(verdict({ ...call, assessment: { ...call.assessment, risk: 'low' } }, { rules })).toBe('ask');
  });

  it('hides no denied program from a rule that can read the text', () => {
    const rules = [rule('allow', { pattern: 'Bash' }), denies];
    for (const line of ["sh -c 'ls; rm x'", "env bash -lc 'rm x'", "find . -exec sh -c 'rm x' +"]) {
      expect(verdict(bashCall(line), { rules })).toBe('deny');
    }
    for (const line of ['echo x | sh', "perl -e 'unlink 1'", 'xargs env', "node -e '1'"]) {
      expect(verdict(bashCall(line), { rules })).toBe('ask');
    }
  });
});

describe('T9: Rules about the content of a folder', () => {
  const cwd = '/home/me/.kennel/agents/guide/workspace';
  const rules = [rule('deny', { path: 'secrets/**' })];
  const run = (...argv: string[]) => ({ kind: 'run', argv, cwd, sandbox: 'confined' }) as const;
  const bash = (argv: string[], effect?: Partial<Record<'read' | 'delete', string>>) => {
    const more = Object.entries(effect ?? {}).map(([kind, path]) => ({
      kind: kind as 'read' | 'delete',
      path: `${cwd}${path}`,
    }));
    return bashCall(argv.join(' '), { risk: 'low', effects: [...more, run(...argv)] });
  };
  const reading = (tool: string, path: string) =>
    sampleCall({ tool, risk: 'low', effects: [{ kind: 'read', path: `${cwd}${path}` }] });

  it.each([
    ['removes the folder', bash(['rm', '-r', 'secrets'], { delete: '/secrets' })],
    ['moves the folder away', bash(['mv', 'secrets', 'x'], { delete: '/secrets' })],
    ['copies the folder', bash(['cp', '-r', 'secrets', 'x'], { read: '/secrets' })],
    ['searches around it', reading('search_files', '')],
    ['searches by rg', bash(['/usr/bin/rg', 'key', 'secrets'], { read: '/secrets' })],
    ['searches the working folder by rg', bash(['rg', 'key'])],
    ['prints it from git', bash(['git', '--no-pager', 'show', 'HEAD'], { read: '' })],
    ['reads a file in it', reading('read_file', '/secrets/a')],
  ])('meet a call that %s', (_, call) => {
    expect(decide(samplePolicy({ rules }), call, [])).toMatchObject({ verdict: 'deny', by: 'rule' });
    const asking = [
      rule('ask', { pattern: call.tool === 'bash_exec' ? 'Bash' : `${call.tool}(secrets/**)` }),
    ];
    expect(verdict(call, { rules: asking })).toBe('ask');
  });

  it.each([
    ['lists the folder around it', reading('list_dir', '')],
    ['searches beside it', reading('search_files', '/secrets-of-others')],
    ['removes another folder', bash(['rm', '-r', 'sec'], { delete: '/sec' })],
    ['asks git for the status', bash(['git', '--no-pager', 'status'], { read: '' })],
  ])('do not meet a call that %s', (_, call) => {
    expect(decide(samplePolicy({ rules }), call, [])).not.toMatchObject({ by: 'rule' });
  });

  it('allow no more than before', () => {
    const allowing = { rules: [rule('allow', { path: 'notes/**' })] };
    expect(verdict(writeCall('notes'), allowing)).toBe('ask');
    expect(verdict(writeCall('notes/a'), allowing)).toBe('allow');
  });
});

describe('Policy modes', () => {
  it('ask: allows low risk, asks for medium and high', () => {
    expect(verdict(low)).toBe('allow');
    expect(verdict(writeCall('a'))).toBe('ask');
    expect(verdict(writeCall('a', { risk: 'high' }))).toBe('ask');
  });

  it('trusted folders: allows writes below writable roots, asks for the rest', () => {
    const mode = { mode: 'trusted_folders' } as const;
    expect(verdict(writeCall('a'), mode)).toBe('allow');
    expect(verdict(writeCall('/srv/out/a'), mode)).toBe('allow');
    expect(verdict(writeCall('/srv/docs/a'), mode)).toBe('ask');
    expect(verdict(sendCall('ch_2', false), mode)).toBe('ask');
    expect(verdict(bashCall('make x'), mode)).toBe('ask');
    const run = { kind: 'run' as const, argv: ['mkdir', 'x'], cwd: '/srv/out', sandbox: 'confined' as const };
    const mkdir = (path: string) => bashCall('mkdir x', { effects: [run, { kind: 'write', path }] });
    expect(verdict(mkdir('/srv/out/x'), mode)).toBe('allow');
    expect(verdict(mkdir('/srv/docs/x'), mode)).toBe('ask');
    expect(verdict(sampleCall(), mode)).toBe('ask');
  });

  it('unattended: allows confined effects, denies the rest and never asks', () => {
    const mode = { mode: 'unattended' } as const;
    expect(verdict(writeCall('a'), mode)).toBe('allow');
    expect(verdict(bashCall('make x'), mode)).toBe('allow');
    expect(verdict(sendCall('ch_1', true), mode)).toBe('allow');
    for (const call of [
      sendCall('ch_2', false),
      writeCall('/etc/x'),
      sampleCall({ effects: [{ kind: 'network', host: 'x' }] }),
    ]) {
      const decided = decide(samplePolicy(mode), call, []);
      expect(decided.verdict).toBe('deny');
      expect(englishText(decided.why)).toContain('unattended');
    }
    expect(verdict(writeCall('a'), { ...mode, rules: [rule('ask')] })).toBe('deny');
  });

  it('use the mode for all agents over the mode of the agent', () => {
    expect(verdict(writeCall('a'), { daemon: { mode: 'trusted_folders', rules: [] } })).toBe('allow');
  });
});

describe('Policy rules', () => {
  it('deny in either file wins over allow, ask and grants', () => {
    const call = writeCall('a');
    const allows = { rules: [rule('allow'), rule('deny', { tool: 'write_file' })] };
    expect(verdict(call, allows, [exactGrant('write_file', 'd1')])).toBe('deny');
    const daemon = { mode: null, rules: [rule('deny', { tool: 'group:files' })] };
    expect(verdict(call, { rules: [rule('allow')], daemon })).toBe('deny');
  });

  it('ask wins over allow, and allow over the mode; all given fields must match', () => {
    expect(verdict(writeCall('a'), { rules: [rule('allow', { path: '*' })] })).toBe('allow');
    expect(verdict(writeCall('x/a'), { rules: [rule('allow', { path: '*' })] })).toBe('ask');
    expect(verdict(writeCall('a'), { rules: [rule('allow', { path: '*', risk: 'low' })] })).toBe('ask');
    expect(verdict(low, { rules: [rule('allow'), rule('ask', { tool: 'read_file' })] })).toBe('ask');
  });

  it('name the deciding rule in the reason', () => {
    const { why, by } = decide(
      samplePolicy({ rules: [rule('deny', { pattern: 'Bash(rm *)' })] }),
      bashCall('rm x'),
      [],
    );
    expect([by, englishText(why)]).toEqual(['rule', 'Not allowed: a rule says "deny Bash(rm *)".']);
  });

  it('cannot allow a call that the tool itself refuses', () => {
    const call = writeCall('a', { blocked: { reason: 'forbidden', message: 'No.' } });
    const decided = decide(samplePolicy({ rules: [rule('allow')] }), call, [exactGrant('write_file', 'd1')]);
    expect([decided.verdict, decided.by, decided.why]).toEqual(['deny', 'tool', 'No.']);
  });
});

const never: readonly [string, PolicyCall][] = [
  ['deleting for good', sampleCall({ risk: 'high', effects: [{ kind: 'delete', path: '/srv/out/a' }] })],
  ['no sandbox', bashCall('ls', { effects: [{ kind: 'run', argv: ['ls'], cwd: '/', sandbox: 'none' }] })],
  ['agent.yml', writeCall('/home/me/.kennel/agents/guide/agent.yml')],
  ["another agent's workspace", writeCall('/home/me/.kennel/agents/other/workspace/a')],
  [
    'keys, by reading',
    sampleCall({ risk: 'low', effects: [{ kind: 'read', path: '/home/me/.kennel/master.json' }] }),
  ],
  ['outside writable roots', writeCall('/srv/docs/a')],
  ['another room, tainted', sendCall('ch_2', false, { tainted: true })],
];

describe('Calls that always need approval', () => {
  it.each(never)('cannot be allowed by a grant or rule: %s', (_name, call) => {
    const policy = samplePolicy({ rules: [rule('allow')], daemon: { mode: null, rules: [rule('allow')] } });
    const grants = [exactGrant(call.tool, call.digest), patternGrant(call.tool, '*')];
    expect(decide(policy, call, grants)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    expect(decide({ ...policy, mode: 'unattended' }, call, grants).verdict).toBe('deny');
  });

  it.each(['sudo ls', 'ls; sudo rm x', "sh -c 'su root'", '/usr/bin/doas ls', 'env pkexec ls'])(
    'are denied if they would change the user: %s',
    (cmd) => {
      const policy = samplePolicy({ rules: [rule('allow')] });
      expect(decide(policy, bashCall(cmd), [exactGrant('bash_exec', 'd1')]).verdict).toBe('deny');
    },
  );
});

describe('Untrusted content in the turn (T9)', () => {
  const outside = writeCall('/srv/out/a', { tainted: true });

  it('makes effects outside the workspace ask despite patterns and rules; the workspace stays allowed', () => {
    const trusting = { mode: 'trusted_folders', rules: [rule('allow')] } as const;
    expect(verdict(outside, trusting, [patternGrant('write_file', 'write_file(/srv/out/*)')])).toBe('ask');
    expect(verdict(writeCall('a', { tainted: true }), trusting)).toBe('allow');
    expect(verdict(sendCall('ch_1', true, { tainted: true }), trusting)).toBe('allow');
  });

  it('leaves exact grants valid', () => {
    expect(verdict(outside, {}, [exactGrant('write_file', 'd1')])).toBe('allow');
    expect(verdict(outside, {}, [exactGrant('write_file', 'd2')])).toBe('ask');
  });
});

describe('Standing grants', () => {
  it('apply only to their tool and pattern, and are named in the decision', () => {
    const grant = patternGrant('write_file', 'write_file(notes/*)');
    expect(decide(samplePolicy(), writeCall('notes/a'), [grant])).toMatchObject({
      verdict: 'allow',
      grantId: 'g-pattern',
    });
    expect(verdict(writeCall('other/a'), {}, [grant])).toBe('ask');
    expect(verdict(writeCall('notes/a', { tool: 'edit_file' }), {}, [grant])).toBe('ask');
  });
});

const rank = { allow: 0, ask: 1, deny: 2 } as const;
const anyRule = fc.record(
  {
    action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    tool: fc.constantFrom('write_file', 'group:core', '*', 'bash_exec', 'nothing'),
    pattern: fc.constantFrom('Bash(git *)', 'write_file(notes/*)', '*', 'broken ('),
    path: fc.constantFrom('**', 'notes/*', '/srv/**'),
    risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
  },
  { requiredKeys: ['action'] },
) as fc.Arbitrary<PolicyRule>;
const anyCall = fc.oneof(
  fc.constantFrom('git x', 'git x; rm y', 'sudo ls', 'ls "').map((cmd) => bashCall(cmd)),
  fc
    .tuple(fc.constantFrom('a', 'notes/a', '/srv/out/a', '/etc/a'), fc.boolean())
    .map(([path, tainted]) => writeCall(path, { tainted })),
  fc.constantFrom(...never.map(([, call]) => call), low),
);
const anyPolicy = fc
  .tuple(
    fc.constantFrom('ask' as const, 'trusted_folders' as const, 'unattended' as const),
    fc.array(anyRule, { maxLength: 4 }),
    fc.array(anyRule, { maxLength: 3 }),
  )
  .map(([mode, rules, daemonRules]) =>
    samplePolicy({ mode, rules, daemon: { mode: null, rules: daemonRules } }),
  );
const anyGrants = fc.subarray([
  exactGrant('write_file', 'd1'),
  exactGrant('bash_exec', 'd1'),
  patternGrant('write_file', '*'),
  patternGrant('bash_exec', 'Bash(git *)'),
]);

describe('Policy properties', () => {
  it('an added deny never widens the verdict, and a matching deny denies', () => {
    fc.assert(
      fc.property(anyPolicy, anyCall, anyGrants, anyRule, (policy, call, grants, extra) => {
        const before = decide(policy, call, grants).verdict;
        const deny = { ...extra, action: 'deny' as const };
        const after = decide({ ...policy, rules: [...policy.rules, deny] }, call, grants).verdict;
        expect(rank[after]).toBeGreaterThanOrEqual(rank[before]);
        expect(decide({ ...policy, rules: [rule('deny')] }, call, grants).verdict).toBe('deny');
      }),
    );
  });

  it('the order of rules and grants does not change the verdict', () => {
    fc.assert(
      fc.property(anyPolicy, anyCall, anyGrants, (policy, call, grants) => {
        const turned = { ...policy, rules: policy.rules.toReversed() };
        expect(decide(turned, call, grants.toReversed()).verdict).toBe(decide(policy, call, grants).verdict);
      }),
    );
  });

  it('no grant or allow rule allows a call that always needs approval', () => {
    fc.assert(
      fc.property(
        anyPolicy,
        fc.constantFrom(...never.map(([, call]) => call)),
        anyGrants,
        (policy, call, grants) => {
          expect(decide(policy, call, grants).verdict).not.toBe('allow');
        },
      ),
    );
  });

  it('unattended mode never asks', () => {
    fc.assert(
      fc.property(anyPolicy, anyCall, anyGrants, (policy, call, grants) => {
        expect(decide({ ...policy, mode: 'unattended' }, call, grants).verdict).not.toBe('ask');
      }),
    );
  });
});

describe('Limits of agent.yml for programs', () => {
  const read = sampleCall({
    tool: 'read_file',
    risk: 'low',
    effects: [{ kind: 'read', path: '/srv/docs/a' }],
  });

  it('a planning agent reads and writes messages, and does nothing else', () => {
    expect(verdict(read, { onlyPlans: true })).toBe('allow');
    expect(verdict(writeCall('a.txt'), { onlyPlans: true, rules: [{ action: 'allow' }] })).toBe('deny');
    expect(verdict(bashCall('ls'), { onlyPlans: true })).toBe('deny');
    expect(verdict(sendCall('alice-a62c', true), { onlyPlans: true })).not.toBe('deny');
  });

  it('a tool that allowed_tools names may only do what a pattern covers', () => {
    const allowedTools = ['Bash(git *)', 'Read'];
    expect(verdict(bashCall('git status'), { allowedTools })).not.toBe('deny');
    expect(verdict(bashCall('git x; rm -rf y'), { allowedTools })).toBe('deny');
    expect(verdict(read, { allowedTools })).toBe('allow');
    expect(verdict(writeCall('a.txt'), { allowedTools })).toBe('ask');
  });
});
