import { describe, expect, it } from 'vitest';
import { failurePage } from './failure-page.ts';
import { shellAction, shellHeaders, shellHtml, shellStyle } from './shell-pages.ts';

describe('Shell pages (T21)', () => {
  it('escape text', () => {
    const html = shellHtml(
      failurePage({ code: 'held', message: '<script>alert(1)</script> & "quotes"', hint: 'Stop it.' }),
    );
    expect(html).not.toContain('<script');
    expect(html).toContain('&#60;script&#62;');
    expect(html).toContain('<p>Stop it.</p>');
    expect(html).toMatch(/href="\/do\/again" class="main" autofocus/);
  });

  it('allow no scripts in their content security policy', () => {
    const policy = shellHeaders['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
  });

  it.each([-5, 0, 12.4, 30, 99])('have a style rule for a countdown from %d', (countdown) => {
    const from = /class="from-(\d+)"/.exec(shellHtml({ title: 't', lines: [], buttons: [], countdown }))?.[1];
    expect(shellStyle).toContain(`.from-${from} {`);
  });

  it.each([
    ['kennel://app/do/quit-now', 'quit-now'],
    ['kennel://app/do/../etc', null],
    ['kennel://app/do/', null],
    ['kennel://app.evil/do/quit-now', null],
    ['https://example.com/do/quit-now', null],
    ['kennel://app/do/quit-now?x', null],
  ])('parse the address %s as the action %s', (address, action) => {
    expect(shellAction(address, 'kennel://app')).toBe(action);
  });
});
