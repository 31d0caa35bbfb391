import { describe, expect, it } from 'vitest';
import { externalLink } from './external-link.ts';

describe('External links (T21)', () => {
  it.each([
    ['https://example.com/a?b=c', 'example.com'],
    ['https://example.com:8443/', 'example.com:8443'],
    ['mailto:somebody@example.com', 'somebody@example.com'],
  ])('allow %s and show %s', (address, place) => {
    expect(externalLink(address)).toEqual({ href: address, place });
  });

  it.each([
    'http://example.com/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,hello',
    'kennel://app/',
    'smb://server/share',
    'ms-settings:privacy',
    'https://good.example@evil.example/',
    'not an address',
    '',
    `https://example.com/${'a'.repeat(3000)}`,
  ])('refuse %s', (address) => {
    expect(externalLink(address)).toBeNull();
  });

  it('show the host that a browser would open', () => {
    expect(externalLink('https://exämple.com/')?.place).toBe('xn--exmple-cua.com');
  });
});
