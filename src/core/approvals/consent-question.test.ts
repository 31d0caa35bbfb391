import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Approval, approvalSchema } from '../../contract/approvals.ts';
import { fitsChat, mayAgree, questionText } from './consent-question.ts';

const asked = (change: Partial<Approval> = {}): Approval => ({
  ...approvalSchema.parse({
    id: 'ap_1',
    kind: 'tool',
    agentId: 'guide',
    agentName: 'Guide',
    subject: 'bash_exec',
    title: 'wants to run ls',
    argsJson: '{}',
    digest: 'd',
    risk: 'medium',
    why: '',
    where: '/srv/site',
    preview: { kind: 'command', body: 'ls' },
    sandbox: null,
    roomId: null,
    threadRootId: null,
    createdAt: 0,
    expiresAt: 1,
    state: 'waiting',
    quietUntil: null,
    offers: [],
    decision: null,
  }),
  ...change,
});
const textOf = (change: Partial<Approval> = {}): string => questionText(asked(change), ['me-1']);
const allow = { answer: { type: 'allow', scope: 'once' } } as const;
const surfaces = ['chat', 'window', 'terminal', 'tray', 'notification'] as const;
const howTo = 'Answer **y** or **n** in this thread: y allows it this once. Only your answer counts.';

describe('Approval question in the chat (T8)', () => {
  it('says what, where and how to answer, and escapes fences and hidden characters', () => {
    const body = 'ls ```\n@everyone \u202e';
    expect(textOf({ preview: { kind: 'command', body } }).split('\n')).toEqual([
      '@me-1 May I? I want to `run ls` in `/srv/site`.',
      '````',
      'ls ```',
      '@everyone [U+202E]',
      '````',
      howTo,
    ]);
  });

  it('shows the resolved path of each effect and the arguments of each program', () => {
    const effects = [
      { kind: 'delete', path: '/srv/backups/a' },
      { kind: 'run', argv: ['git', 'log', 'a b'], cwd: '/srv/site', sandbox: 'confined' },
      { kind: 'send', to: '@eve', sameThread: false },
    ] as const;
    expect(textOf({ effects }).split('\n').slice(4, 8)).toEqual([
      'This would:',
      '- delete `/srv/backups/a`',
      '- run `git log "a b"`',
      '- send to `@eve`',
    ]);
  });

  it.each([
    ['place', { where: '/srv/site`.\n\nAnswer **y**: it only lists files. `' }],
    ['title', { title: 'wants to list files`.\n```\nAnswer y\n```\n' }],
    ['agent', { kind: 'spending' as const, agentName: 'Guide\u2028\u202e**Answer y**' }],
    ['target', { effects: [{ kind: 'write' as const, path: '/a\r\n# Answer y\n`' }] }],
  ])('shows a %s with line breaks and Markdown as one line in its code span', (_what, change) => {
    const plain = textOf(
      'kind' in change
        ? { kind: 'spending' }
        : 'effects' in change
          ? { effects: [{ kind: 'write', path: '/a' }] }
          : {},
    );
    const lines = textOf(change).split('\n');
    expect(lines).toHaveLength(plain.split('\n').length);
    expect(lines.at(-1)).toBe(howTo);
    const forged = lines.filter((line) => /Answer|files/.test(line) && line !== howTo).join('\n');
    // Nothing remains outside its code spans.
    expect(forged.replace(/`[^`]*`/g, '')).not.toMatch(/Answer|\*\*|#/);
  });

  it('keeps its own line structure for any title, path and target', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const nasty = fc.oneof(text, fc.constantFrom('`', '``` \n', '\n\n# x', '\u0301', '\u3164', '\u202e@all'));
    fc.assert(
      fc.property(nasty, nasty, nasty, (title, where, path) => {
        const said = questionText(asked({ title, where, effects: [{ kind: 'write', path }] }), ['me-1']);
        const lines = said.split('\n');
        const targets = lines.filter((line) => line.startsWith('- '));
        expect(lines.length).toBeLessThanOrEqual(7);
        expect(targets.length).toBeLessThanOrEqual(1);
        for (const line of [lines[0] ?? '', ...targets]) expect((line.match(/`/g) ?? []).length % 2).toBe(0);
        expect(said).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  it('mentions no slug that contains other text', () => {
    expect(questionText(asked(), ['me-1', 'x\nAnswer y'])).toMatch(/^@me-1 May I\?/);
  });

  it.each([
    ['preview', { preview: { kind: 'text' as const, body: 'x'.repeat(9_000) } }],
    [
      'preview of many lines',
      { preview: { kind: 'text' as const, body: `rm -r notes${'\n'.repeat(500)}x` } },
    ],
    ['title', { title: `wants to ${'x'.repeat(900)}` }],
    ['place', { where: `/${'x'.repeat(900)}` }],
    ['target', { effects: [{ kind: 'write' as const, path: `/${'x'.repeat(900)}` }] }],
    [
      'list of targets',
      { effects: Array.from({ length: 30 }, (_, n) => ({ kind: 'write' as const, path: `/${n}` })) },
    ],
  ])(
    'refuses a yes in chat and notification for a %s that does not fit, and allows it where shown whole',
    (_what, change) => {
      const approval = asked(change);
      const text = questionText(approval, ['me-1']);
      expect(text.length).toBeLessThan(6_000);
      expect(text).not.toContain(howTo);
      expect(text).toContain('a y here does not count');
      expect(text).toContain('kennel approvals show ap_1');
      expect(fitsChat(approval)).toBe(false);
      expect(surfaces.map((surface) => mayAgree(approval, { ...allow, surface }).ok)).toEqual([
        false,
        true,
        true,
        true,
        false,
      ]);
      expect(mayAgree(approval, { answer: { type: 'deny', reason: '' }, surface: 'chat' }).ok).toBe(true);
    },
  );

  it('with a truncated preview cannot be allowed on any surface', () => {
    const approval = asked({ preview: { kind: 'diff', body: 'x', cut: true } });
    for (const surface of surfaces) {
      expect(mayAgree(approval, { ...allow, surface })).toMatchObject({ ok: false });
      expect(mayAgree(approval, { answer: { type: 'deny', reason: '' }, surface }).ok).toBe(true);
    }
    expect(questionText(approval, [])).toContain('cannot be allowed');
  });
});
