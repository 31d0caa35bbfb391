import { expect, it } from 'vitest';
import { diffHunks } from './diff-hunks.ts';

const diff = `@@ -1,5 +1,5 @@
 line 0
 line 1
-line 2
+two
 line 3
@@ -16,3 +16,2 @@
 line 16
-line 17
 line 18
\\ No newline at end of file`;

it('returns the text before and after each hunk', () => {
  expect(diffHunks(diff)).toEqual([
    { oldText: 'line 0\nline 1\nline 2\nline 3', newText: 'line 0\nline 1\ntwo\nline 3' },
    { oldText: 'line 16\nline 17\nline 18', newText: 'line 16\nline 18' },
  ]);
});

it('marks a new file, and finds nothing in other text', () => {
  expect(diffHunks('New file, 1 line\n@@ -0,0 +1 @@\n+hello')).toEqual([{ oldText: null, newText: 'hello' }]);
  expect(diffHunks('No change: the file already has this content.')).toEqual([]);
});
