import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profileSummary, readSoul, replaceSoul } from './profile.ts';

describe('Agent profile', () => {
  it('replaces a soul of several sections whole, and keeps the rest', () => {
    const old = '# Profile\n\nintro\n\n## Soul\n\nold\n\n### Part\n\nmore\n\n## Next\n\nstays\n';
    const out = replaceSoul(old, 'new');
    expect(out).toBe('# Profile\n\nintro\n\n## Soul\n\nnew\n\n## Next\n\nstays\n');
  });
  it('ignores headings inside a code fence', () => {
    const old = '# Soul\n\n```sh\n# not a heading\n```\ntail\n\n# Next\nkept\n';
    expect(readSoul(old)).toBe('```sh\n# not a heading\n```\ntail');
    expect(replaceSoul(old, 'x')).toBe('# Soul\n\nx\n\n# Next\nkept\n');
  });
  it('demotes headings of a new soul below its own heading', () => {
    const out = replaceSoul('## Soul\n\nold\n', '# Title\n\ntext\n\n## Sub\n\n```\n# code\n```');
    expect(out).toBe('## Soul\n\n### Title\n\ntext\n\n#### Sub\n\n```\n# code\n```\n');
    expect(profileSummary(out)).toContain('text');
  });
  it('adds a missing soul section, and can empty it', () => {
    expect(replaceSoul('', 'kind')).toBe('## Soul\n\nkind\n');
    expect(replaceSoul('# P\nx', 'kind')).toBe('# P\nx\n\n## Soul\n\nkind\n');
    expect(readSoul(replaceSoul('## Soul\n\nkind\n', ''))).toBe('');
  });
  it('closes an open code fence before it writes after it', () => {
    expect(replaceSoul('# P\n```\nx', 'kind')).toBe('# P\n```\nx\n```\n\n## Soul\n\nkind\n');
    expect(replaceSoul('## Soul\n\nold\n\n## Next\n', '~~~\ncode')).toBe(
      '## Soul\n\n~~~\ncode\n~~~\n\n## Next\n',
    );
  });
  it('reads back the soul it wrote, and a second write changes nothing', () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '### Soul',
      '## Soul',
      'text',
      '',
      '```',
      '~~~',
      '  # C',
      '#x',
      '    # D',
    );
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    const plain = fc.array(fc.constantFrom('one', 'two words', '- item', '', '#tag'), { maxLength: 6 });
    fc.assert(
      fc.property(text, plain, (profile, soul) => {
        const wanted = soul.join('\n').trim();
        const once = replaceSoul(profile, wanted);
        expect(readSoul(once)).toBe(wanted);
        expect(replaceSoul(once, wanted)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
