/** The renderer's pure rules, without a browser. */
import { expect, test } from '@playwright/test';
import { diffLines } from '../../src/contract/line-diff.ts';
import type { FeedEvent } from '../../src/contract/patch.ts';
import { spendShort, spendWords } from '../../src/language/money.ts';
import { blankRow, rulesOf } from '../../src/renderer/agents/tools/rule-rows.ts';
import { toggleTool } from '../../src/renderer/agents/tools/toggle-tool.ts';
import { foldThreads } from '../../src/renderer/chat/threads.ts';
import { plainSnippet } from '../../src/renderer/format/snippet.ts';
import { lasting, relativeTime } from '../../src/renderer/format/time.ts';
import { exactParts, initials, visibleLine } from '../../src/renderer/format/visible-text.ts';
import { clusters, ruleOf } from '../../src/renderer/inbox/similar-approvals.ts';
import { gatedAddress } from '../../src/renderer/markdown/link-gate.tsx';
import { settledLength } from '../../src/renderer/markdown/markdown.tsx';
import { foldDiff } from '../../src/renderer/parts/fold-diff.ts';
import { partIn, partsFor } from '../../src/renderer/settings/settings-parts.ts';
import { createTopic } from '../../src/renderer/state/topic-store.ts';
import { approval, command } from './ask-data.ts';
import { message } from './fake-data.ts';

test('A line diff folds lines far from a change', () => {
  const long = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const parts = foldDiff(diffLines(long, long.with(10, 'changed')));
  expect(parts[0]).toEqual({ kind: 'folded', count: 7 });
  expect(parts.at(-1)).toEqual({ kind: 'folded', count: 6 });
});

test('Replies fold under their root; orphans and direct messages stay in line', () => {
  const all = [
    message('r1'),
    message('a1', { threadRootId: 'r1' }),
    message('lost', { threadRootId: 'gone' }),
    message('r2', { threadRootId: 'r2' }),
  ];
  const folded = foldThreads(all, [], false);
  expect(folded.threads.map((thread) => [thread.root.id, thread.replies.map((reply) => reply.id)])).toEqual([
    ['r1', ['a1']],
    ['lost', []],
    ['r2', []],
  ]);
  expect(foldThreads(all, [], true).threads).toHaveLength(4);
});

test('Only finished paragraphs of a streaming text are settled, never inside a code fence', () => {
  expect(settledLength('one')).toBe(0);
  expect(settledLength('one\n\ntwo')).toBe(5);
  expect(settledLength('one\n\n```\ncode\n\nmore')).toBe(5);
  expect(settledLength('```\ncode\n\nmore\n```\n\nend')).toBe(20);
});

test('Only https and mailto links can be opened', () => {
  for (const bad of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'http://a.b',
    'file:///x',
    'kennel://app',
    '//a.b',
    '',
    undefined,
  ])
    expect(gatedAddress(bad), String(bad)).toBeNull();
  expect(gatedAddress('https://a.b/c')?.host).toBe('a.b');
  expect(gatedAddress('HTTPS://a.b')?.protocol).toBe('https:');
  expect(gatedAddress('mailto:a@b.c')?.protocol).toBe('mailto:');
});

test('Hidden and reordering characters are shown as codes; emoji and ordinary scripts stay', () => {
  expect(visibleLine('a‮b')).toBe('a[U+202E]b');
  expect(visibleLine('x\u{e0041}')).toBe('x[U+E0041]');
  expect(visibleLine('👩‍💻 Ünïcode שלום')).toBe('👩‍💻 Ünïcode שלום');
  expect(initials('ada lovelace')).toBe('AL');
  expect(initials('***')).toBe('?');
  expect(plainSnippet('**bold** [text](https://x.y)\n> quote')).toBe('bold text quote');
});

test('T8: A command is shown completely, with invisible characters as codes', () => {
  const shown = (text: string): string =>
    exactParts(text)
      .map((part) => part.text)
      .join('');
  for (const hidden of [
    '\u200b',
    '\u200d',
    '\ufe0f',
    '\u3164',
    '\u2028',
    '\u00a0',
    '\u0007',
    '\u061c',
    '\u{e0041}',
  ])
    expect(shown(`rm a${hidden}b`), hidden.codePointAt(0)?.toString(16)).toMatch(/^rm a\[U\+[0-9A-F]+\]b$/);
  expect(exactParts('[U+200B]\u200b').map((part) => part.code)).toEqual([false, true]);
  const plain = 'git commit -m "äöü 漢字 שלום"\n\tend';
  expect(exactParts(plain)).toEqual([{ text: plain, code: false }]);
});

test('A tool is toggled without changing other entries of the lists', () => {
  const lists = { allow: ['group:files'], alsoAllow: ['shell'], deny: ['write_file'] };
  expect(toggleTool(lists, 'shell', false)).toEqual({
    ...lists,
    alsoAllow: [],
    deny: ['write_file', 'shell'],
  });
  expect(toggleTool(lists, 'write_file', true)).toEqual({ ...lists, deny: [] });
  expect(toggleTool(lists, 'memory_append', true).alsoAllow).toEqual(['shell', 'memory_append']);
});

test('Rows become rules only when complete', () => {
  const allow = { ...blankRow(), action: 'allow' as const };
  expect([...rulesOf([allow]).faults.values()][0]).toContain('would allow everything');
  expect(rulesOf([{ ...allow, pattern: 'ls' }]).rules).toEqual([]);
  expect(rulesOf([{ ...allow, tool: ' bash_exec ', risk: 'low' }]).rules).toEqual([
    { action: 'allow', tool: 'bash_exec', risk: 'low' },
  ]);
});

test('An unknown price is never shown as zero', () => {
  expect(spendShort({ tokens: 0, usd: 0, unpriced: 0, simulated: false })).toBe('nothing');
  expect(spendShort({ tokens: 900, usd: null, unpriced: 900, simulated: false })).toBe('900 tokens');
  expect(spendWords({ tokens: 900, usd: null, unpriced: 900, simulated: false })).toBe(
    '900 tokens, price unknown',
  );
  expect(spendShort({ tokens: 900, usd: 0.42, unpriced: 60, simulated: false })).toBe('$0.42 + unknown');
  expect(spendWords({ tokens: 900, usd: 0.0042, unpriced: 0, simulated: true })).toContain(
    'at simulated prices',
  );
});

test('Times are shown relative, such as "5 min ago"', () => {
  const now = new Date(2026, 4, 20, 12, 0).getTime();
  expect(relativeTime(now - 10_000, now)).toBe('just now');
  expect(relativeTime(now - 5 * 60_000, now)).toBe('5 min ago');
  expect(relativeTime(now - 2 * 3_600_000, now)).toBe('2 h ago');
  expect(relativeTime(now - 26 * 3_600_000, now)).toBe('yesterday');
  expect(lasting(now - 90_000, now)).toBe('2 min');
});

test('A topic applies the events of a frame as one change and resubscribes after a gap', () => {
  const sinks: ((event: FeedEvent) => void)[] = [];
  const frames: (() => void)[] = [];
  const client = {
    call: async () => ({ ok: false as const, error: { code: 'internal' as const, message: '' } }),
    subscribe: (_topic: string, sink: (event: FeedEvent) => void) => {
      sinks.push(sink);
      return () => undefined;
    },
  };
  const topic = createTopic<{ n: number; kept: object }>(client as never, 'agents', (run) =>
    frames.push(run),
  );
  const seen: unknown[] = [];
  topic.store.subscribe((value) => seen.push(value.state));
  const leave = topic.use();
  const kept = { deep: 1 };
  sinks[0]?.({ type: 'snapshot', revision: 4, state: { n: 0, kept } });
  sinks[0]?.({ type: 'patch', revision: 5, ops: [{ op: 'set', path: ['n'], value: 1 }] });
  sinks[0]?.({ type: 'patch', revision: 6, ops: [{ op: 'set', path: ['n'], value: 2 }] });
  expect(frames).toHaveLength(1);
  frames.shift()?.();
  expect(seen).toEqual([{ n: 2, kept: { deep: 1 } }]);
  expect(topic.store.getState().state?.kept).toBe(kept);
  sinks[0]?.({ type: 'patch', revision: 8, ops: [{ op: 'set', path: ['n'], value: 9 }] });
  frames.shift()?.();
  expect(topic.store.getState().state?.n).toBe(2);
  expect(sinks).toHaveLength(2);
  leave();
});

test('Only questions with the same agent, tool and pattern are grouped, in order of arrival', () => {
  const all = [
    command('a', 'rm one.md'),
    approval('b'),
    command('c', 'rm two.md', { title: 'wants something else' }),
    command('d', 'ls'),
    command('e', 'rm three.md', { agentId: 'guide', agentName: 'Guide' }),
    approval('f', {
      offers: [{ scope: 'once', rule: 'write_file(other.txt)' }],
      title: 'wants to write other.txt',
    }),
  ];
  expect(clusters(all).map((cluster) => cluster.map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['b'],
    ['d'],
    ['e'],
    ['f'],
  ]);
  expect(all.slice(0, 2).map(ruleOf)).toEqual(['bash_exec(rm …)', 'write_file(*.md)']);
});

test('A settings section is found by all search terms; an unknown address opens the first section', () => {
  expect(partsFor('audit CHAIN')).toEqual(['security']);
  expect(partsFor('code').length).toBeGreaterThan(1);
  expect(partsFor('xyzzy')).toEqual([]);
  expect(partIn('budget')).toBe('budget');
  expect([partIn('nonsense'), partIn(null), partIn(undefined)]).toEqual(['general', 'general', 'general']);
});
