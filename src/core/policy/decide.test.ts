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
import type { PolicyRule } from '../../contract/consent.ts';
import { decide } from './decide.ts';
import type { AgentPolicy, GrantRule, PolicyCall } from './policy-call.ts';

const verdict = (call: PolicyCall, change: Partial<AgentPolicy> = {}, grants: readonly GrantRule[] = []) =>
  decide(samplePolicy(change), call, grants).verdict;

const rule = (action: PolicyRule['action'], more: Partial<PolicyRule> = {}): PolicyRule => ({
  action,
  ...more,
});
const low = sampleCall({ tool: 'read_file', risk: 'low', effects: [{ kind: 'read', path: '/srv/docs/a' }] });

describe('modes', () => {
  it('ask: low runs, medium and high ask', () => {
    expect(verdict(low)).toBe('allow');
    expect(verdict(writeCall('a'))).toBe('ask');
    expect(verdict(writeCall('a', { risk: 'high' }))).toBe('ask');
  });

  it('trusted folders: writes below writable roots run, the rest asks', () => {
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

  it('unattended: what is held runs, the rest is denied and nobody is asked', () => {
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
      expect(decided.why).toContain('unattended');
    }
    expect(verdict(writeCall('a'), { ...mode, rules: [rule('ask')] })).toBe('deny');
  });

  it('the mode for all agents stands above their own', () => {
    expect(verdict(writeCall('a'), { daemon: { mode: 'trusted_folders', rules: [] } })).toBe('allow');
  });
});

describe('rules', () => {
  it('a deny of either file wins over allow, ask and grants', () => {
    const call = writeCall('a');
    const allows = { rules: [rule('allow'), rule('deny', { tool: 'write_file' })] };
    expect(verdict(call, allows, [exactGrant('write_file', 'd1')])).toBe('deny');
    const daemon = { mode: null, rules: [rule('deny', { tool: 'group:files' })] };
    expect(verdict(call, { rules: [rule('allow')], daemon })).toBe('deny');
  });

  it('ask wins over allow, allow over the mode; all given fields must fit', () => {
    expect(verdict(writeCall('a'), { rules: [rule('allow', { path: '*' })] })).toBe('allow');
    expect(verdict(writeCall('x/a'), { rules: [rule('allow', { path: '*' })] })).toBe('ask');
    expect(verdict(writeCall('a'), { rules: [rule('allow', { path: '*', risk: 'low' })] })).toBe('ask');
    expect(verdict(low, { rules: [rule('allow'), rule('ask', { tool: 'read_file' })] })).toBe('ask');
  });

  it('says which rule decided', () => {
    const { why, by } = decide(
      samplePolicy({ rules: [rule('deny', { pattern: 'Bash(rm *)' })] }),
      bashCall('rm x'),
      [],
    );
    expect([by, why]).toEqual(['rule', 'Not allowed: a rule says "deny Bash(rm *)".']);
  });

  it('what the tool itself refuses stays refused', () => {
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

describe('what nothing allows by itself', () => {
  it.each(never)('%s: no grant and no rule, only a person', (_name, call) => {
    const policy = samplePolicy({ rules: [rule('allow')], daemon: { mode: null, rules: [rule('allow')] } });
    const grants = [exactGrant(call.tool, call.digest), patternGrant(call.tool, '*')];
    expect(decide(policy, call, grants)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    expect(decide({ ...policy, mode: 'unattended' }, call, grants).verdict).toBe('deny');
  });

  it.each(['sudo ls', 'ls; sudo rm x', "sh -c 'su root'", '/usr/bin/doas ls', 'env pkexec ls'])(
    'the rights of another user are denied: %s',
    (cmd) => {
      const policy = samplePolicy({ rules: [rule('allow')] });
      expect(decide(policy, bashCall(cmd), [exactGrant('bash_exec', 'd1')]).verdict).toBe('deny');
    },
  );
});

describe('words of others in the turn (T9)', () => {
  const outside = writeCall('/srv/out/a', { tainted: true });

  it('effects outside the workspace ask, whatever patterns and rules say; the workspace stays free', () => {
    const trusting = { mode: 'trusted_folders', rules: [rule('allow')] } as const;
    expect(verdict(outside, trusting, [patternGrant('write_file', 'write_file(/srv/out/*)')])).toBe('ask');
    expect(verdict(writeCall('a', { tainted: true }), trusting)).toBe('allow');
    expect(verdict(sendCall('ch_1', true, { tainted: true }), trusting)).toBe('allow');
  });

  it('exactly this, allowed before, still runs', () => {
    expect(verdict(outside, {}, [exactGrant('write_file', 'd1')])).toBe('allow');
    expect(verdict(outside, {}, [exactGrant('write_file', 'd2')])).toBe('ask');
  });
});

describe('standing answers', () => {
  it('are named, hold for their tool and pattern only', () => {
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

describe('properties', () => {
  it('adding a deny never widens, and a fitting one denies', () => {
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

  it('the order of rules and grants changes no verdict', () => {
    fc.assert(
      fc.property(anyPolicy, anyCall, anyGrants, (policy, call, grants) => {
        const turned = { ...policy, rules: policy.rules.toReversed() };
        expect(decide(turned, call, grants.toReversed()).verdict).toBe(decide(policy, call, grants).verdict);
      }),
    );
  });

  it('no grant and no allow rule lets through what nothing allows by itself', () => {
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

  it('unattended asks nobody, ever', () => {
    fc.assert(
      fc.property(anyPolicy, anyCall, anyGrants, (policy, call, grants) => {
        expect(decide({ ...policy, mode: 'unattended' }, call, grants).verdict).not.toBe('ask');
      }),
    );
  });
});
