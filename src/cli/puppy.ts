#!/usr/bin/env node
// `puppy` is short for `kennel puppy`. Must parse on Node 20.

process.argv.splice(2, 0, 'puppy');
import('./kennel.ts');

export {};
