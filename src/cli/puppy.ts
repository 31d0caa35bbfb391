#!/usr/bin/env node
// The second name of `kennel puppy`: the same program, with the word put in. It parses on Node 20, as `kennel` does.

process.argv.splice(2, 0, 'puppy');
import('./kennel.ts');

export {};
