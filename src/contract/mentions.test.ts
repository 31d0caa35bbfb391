import { describe, expect, it } from 'vitest';
import {
  ambiguousNames,
  findMentions,
  markOwnMentions,
  mayMentionByName,
  mentionedSlugs,
  mentions,
  withSlugs,
} from './mentions.ts';

describe('Mentions by slug', () => {
  it('finds whole slugs, each once', () => {
    expect(mentionedSlugs('@a-1, @b-2: @a-1 (@c_3) x@d-4 @ e')).toEqual(['a-1', 'b-2', 'c_3']);
  });
  it('finds mentions next to other scripts and punctuation', () => {
    expect(mentions('やあ@bob-1さん', 'bob-1')).toBe(true);
    expect(mentions('"@bob-1".', 'bob-1')).toBe(true);
  });
  it('marks only mentions of the agent itself', () => {
    expect(markOwnMentions('@bob-1 and @bob-12', 'bob-1')).toBe('@you(bob-1) and @bob-12');
  });
});

describe('Mentions in code', () => {
  const code: readonly [string, string][] = [
    ['a span', 'say `@bob-1 help`'],
    ['a span with several ticks', '``a ` @bob-1``'],
    ['a span over two lines', 'run `npm test\n@bob-1` now'],
    ['a fenced block', 'log:\n```\n@bob-1 failed\n```'],
    ['a fenced block without an end', '~~~ts\n@bob-1'],
    ['a fenced block in a list', '- x\n  ```\n  @bob-1\n  ```'],
    ['a fenced block in a quote', '> ```\n> @bob-1\n> ```'],
    ['an indented block', 'log:\n\n    @bob-1 failed\n\t@bob-1'],
  ];
  it.each(code)('T27 %s mentions nobody, by slug or by name', (_name, text) => {
    expect(mentionedSlugs(text)).toEqual([]);
    expect(markOwnMentions(text, 'bob-1')).toBe(text);
    expect(findMentions(text, [{ slug: 'bob-1', displayName: 'Bob' }])).toEqual([]);
    const byName = text.replaceAll('@bob-1', '@Bob');
    expect(findMentions(byName, [{ slug: 'bob-1', displayName: 'Bob' }])).toEqual([]);
  });

  const prose: readonly [string, string][] = [
    ['after a span', '`npm test` @bob-1'],
    ['beside a single tick', 'one ` tick, @bob-1'],
    ['between ticks of two paragraphs', 'one ` tick\n\n@bob-1 another `'],
    ['between ticks of two list items', '- one ` tick\n- @bob-1 another `'],
    ['after a fenced block', '```\nx\n```\n@bob-1'],
    ['in an indented line of a paragraph', 'please\n    @bob-1'],
    ['in a paragraph of a list item', '1. x\n\n    @bob-1'],
  ];
  it.each(prose)('A mention %s counts', (_name, text) => expect(mentions(text, 'bob-1')).toBe(true));
});

const guide = { slug: 'guide-6a46', displayName: 'Guide' };
const anna = { slug: 'anna-0a0a', displayName: 'Anna Bó' };
const crew = [guide, anna, { slug: 'you-1b1b', displayName: 'You' }];

describe('Mentions by name', () => {
  const cases: readonly [string, string][] = [
    ['@Guide write hello.md', '@guide-6a46 write hello.md'],
    ['@guide, @GUIDE. (@Guide)', '@guide-6a46, @guide-6a46. (@guide-6a46)'],
    ["ask @Anna Bó's agent", "ask @anna-0a0a's agent"],
    ['@guide-6a46 and @Guide', '@guide-6a46 and @guide-6a46'],
    [
      '@Guidebook @Guide_x @Guide-7 @guide.md @Guide@home',
      '@Guidebook @Guide_x @Guide-7 @guide.md @Guide@home',
    ],
    ['mail me@Guide', 'mail me@Guide'],
    ['say `@Guide help`, ``a ` @Guide``', 'say `@Guide help`, ``a ` @Guide``'],
    ['```\n@Guide\n```\n@Guide', '```\n@Guide\n```\n@guide-6a46'],
    ['one ` tick, @Guide', 'one ` tick, @guide-6a46'],
    ['@Anna is nobody', '@Anna is nobody'],
    ['https://medium.com/@Guide/post', 'https://medium.com/@Guide/post'],
    ['https://x.example/(@Guide) @Guide', 'https://x.example/(@Guide) @guide-6a46'],
    ['npm i @guide/core, guide:@Guide', 'npm i @guide/core, guide:@Guide'],
    ['@Guide:8080 and @Guide: hi', '@Guide:8080 and @guide-6a46: hi'],
    ['**@Guide** "@Guide" [@Guide]', '**@guide-6a46** "@guide-6a46" [@guide-6a46]'],
    ['> ```\n> @Guide\n> ```\n> @Guide', '> ```\n> @Guide\n> ```\n> @guide-6a46'],
    ['> ```\n> @Guide\n\n@Guide', '> ```\n> @Guide\n\n@guide-6a46'],
    ['- ```\n  @Guide\n  ```\n- @Guide', '- ```\n  @Guide\n  ```\n- @guide-6a46'],
    ['1. ~~~\n   @Guide\n@Guide', '1. ~~~\n   @Guide\n@guide-6a46'],
    ['1. x\n\n    ```\n    @Guide\n    ```', '1. x\n\n    ```\n    @Guide\n    ```'],
  ];
  it.each(cases)('puts the slug for a member named in %j', (text, written) =>
    expect(withSlugs(text, crew)).toBe(written),
  );

  it('T9 a name that several members have mentions nobody, and is reported', () => {
    const two = [...crew, { slug: 'mallory-9', displayName: 'guide' }];
    expect(withSlugs('@Guide hi', two)).toBe('@Guide hi');
    expect(ambiguousNames('@Guide hi, @guide, @You', two)).toEqual(['Guide', 'guide']);
    expect(withSlugs('@guide-6a46 hi', two)).toBe('@guide-6a46 hi');
  });

  it('T9 a name that continues another one, poses as a slug or hides characters takes no mention', () => {
    const longer = [...crew, { slug: 'mallory-9', displayName: 'Guide write' }];
    expect(findMentions('@Guide write x', longer)).toMatchObject([{ slugs: ['guide-6a46', 'mallory-9'] }]);
    expect(withSlugs('@Guide read x', longer)).toBe('@guide-6a46 read x');
    expect(withSlugs('@boss-12ab hi', [{ slug: 'mallory-9', displayName: 'boss-12ab' }])).toBe(
      '@boss-12ab hi',
    );
    expect(withSlugs('@Gu\u200bide hi', [{ slug: 'mallory-9', displayName: 'Gu\u200bide' }])).toBe(
      '@Gu\u200bide hi',
    );
  });

  it('T27 stays fast for a text of nothing but mentions and ticks', () => {
    const members = Array.from({ length: 1_000 }, (_, n) => ({
      slug: `m-${n}`,
      displayName: `M ${n}`.repeat(9),
    }));
    const began = performance.now();
    findMentions('@x ` `` ``` @m '.repeat(4_000), members);
    findMentions(`@x \`${'>'.repeat(30_000)}${'- '.repeat(30_000)}${'a'.repeat(60_000)}`, members);
    mentionedSlugs('`@x` @m-1\n'.repeat(12_000));
    mentionedSlugs(`    @x\n\n\`\n${'> '.repeat(9_000)}\n`.repeat(5));
    findMentions(`@x \`${' '.repeat(30_000)}:// ${'1. >'.repeat(10_000)}`, members);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('asks for names only if something is mentioned that is no slug', () => {
    const asks = ['hi', '@guide-6a46 hi', 'a@b', '@Guide hi', '@あ', 'https://x.example/@Guide'];
    expect(asks.map(mayMentionByName)).toEqual([false, false, false, true, true, false]);
  });
});
