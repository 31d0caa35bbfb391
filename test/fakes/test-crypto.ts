/**
 * The crypto engine that Kennel prefers if available, faster than the portable one; `engines.test.ts`
 * compares them.
 */
import sodium from 'sodium-native';
import { createSodiumEngine } from '../../src/services/crypto/sodium-engine.ts';

export const testCrypto = createSodiumEngine(sodium);
