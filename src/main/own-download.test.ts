import { expect, it } from 'vitest';
import { isOwnDownload } from './own-download.ts';

it('T21: Only blob downloads of the page’s own origin are saved', () => {
  const origins = ['kennel://app'];
  expect(isOwnDownload('blob:kennel://app/6f1c', origins)).toBe(true);
  for (const address of [
    'https://example.com/a.zip',
    'kennel://app/index.html',
    'data:text/plain,hello',
    'blob:https://example.com/6f1c',
    'blob:kennel://app.example.com/6f1c',
    'file:///etc/passwd',
  ])
    expect(isOwnDownload(address, origins), address).toBe(false);
});
