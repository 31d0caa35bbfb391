import { expect, it } from 'vitest';
import { readTypedTask } from './typed-task.ts';

const agents = [
  { slug: 'guide-6a46', displayName: 'Guide' },
  { slug: 'scribe-1c2d', displayName: 'Scribe' },
  { slug: 'twin-0001', displayName: 'Twin' },
  { slug: 'twin-0002', displayName: 'Twin' },
];

it.each([
  ['Water the plants', null, 'Water the plants'],
  ['@Guide water the plants', 'guide-6a46', 'water the plants'],
  ['@guide-6a46: water the plants', 'guide-6a46', 'water the plants'],
  [' water the plants @Guide ', 'guide-6a46', 'water the plants'],
  ['let @Guide ask @Scribe', 'guide-6a46', 'let @Guide ask @Scribe'],
  ['@Twin water the plants', null, '@Twin water the plants'],
  ['mail ada@guide.example', null, 'mail ada@guide.example'],
  ['@Guide', 'guide-6a46', ''],
])('The first agent named in "%s" gets the task', (text, slug, goal) => {
  expect(readTypedTask(text, agents)).toEqual({ slug, goal });
});
