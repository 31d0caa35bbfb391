import { describe, expect, it } from 'vitest';
import { externalLink } from './external-link.ts';

describe('addresses that may leave the app (T21)', () => {
  it.each([
    ['https://example.com/a?b=c', 'example.com'],
    ['https://example.com:8443/', 'example.com:8443'],
    ['mailto:somebody@example.com', 'somebody@example.com'],
  ])('lets %s out, naming %s', (address, place) => {
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
  ])('keeps %s in', (address) => {
    expect(externalLink(address)).toBeNull();
  });

  it('shows the place that a browser would really go to', () => {
    expect(externalLink('https://exämple.com/')?.place).toBe('xn--exmple-cua.com');
  });
});
