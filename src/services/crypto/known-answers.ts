/**
 * Known answers that every engine must give before it may handle a key: published vectors (FIPS 180, RFC
 * 4231, 7748, 8032, 8439) and hostile inputs on which libraries differ. An answer is lower-case hex, `true`,
 * `false` or `null`.
 */
import { concat, fromHex, toHex, utf8 } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';

export interface KnownAnswer {
  readonly name: string;
  readonly expected: string;
  ask(engine: CryptoEngine): Uint8Array | boolean | null;
}

const hex = (text: string): Uint8Array => {
  const bytes = fromHex(text.replace(/\s/g, ''));
  if (!bytes) throw new Error('a known answer is not hex');
  return bytes;
};

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);

export function engineAnswer(question: KnownAnswer, engine: CryptoEngine): string {
  const answer = question.ask(engine);
  return answer instanceof Uint8Array ? toHex(answer) : String(answer);
}

const hash = (name: string, data: Uint8Array, expected: string): KnownAnswer => ({
  name: `sha256 ${name}`,
  expected,
  ask: (engine) => engine.sha256(data),
});

const mac = (name: string, key: Uint8Array, data: Uint8Array, expected: string): KnownAnswer => ({
  name: `hmac ${name}`,
  expected,
  ask: (engine) => engine.hmacSha256(key, data),
});

const hashes: readonly KnownAnswer[] = [
  hash('empty', utf8(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
  hash('abc', utf8('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
  hash('1000 x a', filled(1000, 0x61), '41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3'),
  mac(
    'rfc4231 1',
    filled(20, 0x0b),
    utf8('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ),
  mac(
    'rfc4231 2',
    utf8('Jefe'),
    utf8('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ),
  mac(
    'rfc4231 6, key longer than a block',
    filled(131, 0xaa),
    utf8('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ),
];

interface Ed25519Vector {
  readonly seed: string;
  readonly key: string;
  readonly message: string;
  readonly signature: string;
}

/** RFC 8032 §7.1, tests 1 to 3. */
const ed25519Vectors: readonly Ed25519Vector[] = [
  {
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
];

const signatures: readonly KnownAnswer[] = ed25519Vectors.flatMap((vector, i) => [
  {
    name: `ed25519 public key ${i + 1}`,
    expected: vector.key,
    ask: (engine: CryptoEngine) => engine.ed25519KeyPair(hex(vector.seed)).public,
  },
  {
    name: `ed25519 signature ${i + 1}`,
    expected: vector.signature,
    ask: (engine: CryptoEngine) => engine.ed25519Sign(hex(vector.message), hex(vector.seed)),
  },
]);

const verdict = (
  name: string,
  signature: string,
  message: string,
  key: string,
  expected = 'false',
): KnownAnswer => ({
  name: `ed25519 verify: ${name}`,
  expected,
  ask: (engine) => engine.ed25519Verify(hex(signature), hex(message), hex(key)),
});

const second = ed25519Vectors[1] ?? { seed: '', key: '', message: '', signature: '' };

const verdicts: readonly KnownAnswer[] = [
  verdict('a good signature', second.signature, second.message, second.key, 'true'),
  verdict('another message', second.signature, '73', second.key),
  verdict('a changed byte of R', `93${second.signature.slice(2)}`, second.message, second.key),
  verdict(
    'S plus the group order',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69daf52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10',
    '72',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ),
  verdict(
    'a torsion part in R',
    'dfd3145e691e9b998cb20bd6e1790ccfbd79f23e01dc20a7349e3aec7193acf625c03ab438fce174dcd9118e8e401b87d4c5f98e6d1ed6659a789f3431742609',
    '72',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ),
  verdict(
    'a key with a torsion part',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86eb437f81f64e2a7e1b0fe113844ce9b0d13283823ab00cb3b7d58e91e22bf5c50a',
    '0005',
    '0169d3c02f3edd121cafbe1dfd45c4cf4aac216a79e36e6326419f2a654d2d46',
  ),
  verdict(
    'a key of order 1',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86ebb112f47e5fdab40d000000000000000000000000000000000000000000000000',
    '0000',
    '0100000000000000000000000000000000000000000000000000000000000000',
  ),
  verdict(
    'a key of order 2',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86ebb112f47e5fdab40d000000000000000000000000000000000000000000000000',
    '0001',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ),
  verdict(
    'a key of order 8',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86ebb112f47e5fdab40d000000000000000000000000000000000000000000000000',
    '0000',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ),
  verdict(
    'a key that is not canonical (y = p + 1)',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86ebb112f47e5fdab40d000000000000000000000000000000000000000000000000',
    '0000',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ),
  verdict(
    'a key that is not canonical (-0)',
    '684c0d53ab44de46d526ab4d33b5947bab9d77af687fe0a09518a5f6df4a86ebb112f47e5fdab40d000000000000000000000000000000000000000000000000',
    '0000',
    '0100000000000000000000000000000000000000000000000000000000000080',
  ),
  verdict(
    'R of small order',
    '0100000000000000000000000000000000000000000000000000000000000000675d054595fa17cb6a44e3ada6ca385e55667e41a63fdab0ac22d10000354002',
    '72',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ),
  verdict(
    'a key that is no point',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    '72',
    '0200000000000000000000000000000000000000000000000000000000000000',
  ),
  verdict('a short signature', second.signature.slice(2), second.message, second.key),
  verdict('a short key', second.signature, second.message, second.key.slice(2)),
];

const agree = (name: string, secret: string, key: string, expected: string): KnownAnswer => ({
  name: `x25519 ${name}`,
  expected,
  ask: (engine) => engine.x25519(hex(secret), hex(key)),
});

const alice = '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a';

/** Every u-coordinate of small order, RFC 7748 §6.1 and its unreduced forms. */
const lowOrder: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

const agreements: readonly KnownAnswer[] = [
  {
    name: 'x25519 public key',
    expected: '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
    ask: (engine) => engine.x25519KeyPair(hex(alice)).public,
  },
  agree(
    'rfc7748 1',
    'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
    'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
    'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
  ),
  agree(
    'rfc7748 2, high bit set',
    '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
    'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
    '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
  ),
  ...lowOrder.map((key, i) => agree(`low order ${i + 1}`, alice, key, 'null')),
];

/** RFC 8439 §2.8.2. */
const aeadKey = hex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f');
const aeadNonce = hex('070000004041424344454647');
const aeadAad = hex('50515253c0c1c2c3c4c5c6c7');
const sunscreen = utf8(
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
);
const sealedSunscreen =
  'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691';

const open = (name: string, aad: Uint8Array, sealed: string, expected: string): KnownAnswer => ({
  name: `aead open: ${name}`,
  expected,
  ask: (engine) => engine.aeadOpen(aeadKey, aeadNonce, aad, hex(sealed)),
});

/** Over 4 KiB, above every size at which an engine switches its method. */
const long = Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7) & 255);

const sealedInPieces = (engine: CryptoEngine, sizes: readonly number[]): Uint8Array => {
  const stream = engine.aeadSealStream(aeadKey, aeadNonce, aeadAad);
  const out: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    out.push(stream.update(long.subarray(at, at + size)).slice());
    at += size;
  }
  out.push(stream.update(long.subarray(at)).slice());
  return concat(...out, stream.finish());
};

const openedInPieces = (engine: CryptoEngine, flip: number): boolean => {
  const sealed = engine.aeadSeal(aeadKey, aeadNonce, aeadAad, long);
  const stream = engine.aeadOpenStream(aeadKey, aeadNonce, aeadAad);
  const text = concat(
    stream.update(sealed.subarray(0, 100)).slice(),
    stream.update(sealed.subarray(100, -16)).slice(),
  );
  const tag = sealed.slice(-16);
  tag[0] = (tag[0] ?? 0) ^ flip;
  return stream.finish(tag) && toHex(text) === toHex(long);
};

const longHash = '30b3d5d9e0008e52dcc7170f50393fe83a1bd4dc34edd967279e9d7ffee4eba9';

const aead: readonly KnownAnswer[] = [
  {
    name: 'aead seal rfc8439',
    expected: sealedSunscreen,
    ask: (engine) => engine.aeadSeal(aeadKey, aeadNonce, aeadAad, sunscreen),
  },
  {
    name: 'aead seal nothing',
    expected: 'a0784d7a4716f3feb4f64e7f4b39bf04',
    ask: (engine) => engine.aeadSeal(aeadKey, aeadNonce, new Uint8Array(0), new Uint8Array(0)),
  },
  {
    name: 'aead seal long',
    expected: longHash,
    ask: (engine) => engine.sha256(engine.aeadSeal(aeadKey, aeadNonce, aeadAad, long)),
  },
  open('good', aeadAad, sealedSunscreen, toHex(sunscreen)),
  open('another aad', aeadNonce, sealedSunscreen, 'null'),
  open('a changed tag', aeadAad, `${sealedSunscreen.slice(0, -2)}90`, 'null'),
  open('a changed byte', aeadAad, `d2${sealedSunscreen.slice(2)}`, 'null'),
  open('shorter than a tag', aeadAad, 'd31a8d', 'null'),
  {
    name: 'aead stream seal in odd pieces',
    expected: longHash,
    ask: (engine) => engine.sha256(sealedInPieces(engine, [1, 63, 64, 65, 0, 127, 1000])),
  },
  { name: 'aead stream open', expected: 'true', ask: (engine) => openedInPieces(engine, 0) },
  { name: 'aead stream open, changed tag', expected: 'false', ask: (engine) => openedInPieces(engine, 1) },
];

export const knownAnswers: readonly KnownAnswer[] = [
  ...hashes,
  ...signatures,
  ...verdicts,
  ...agreements,
  ...aead,
];
