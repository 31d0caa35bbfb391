/**
 * The sodium-native functions that the engine uses; the package ships no types. Output buffers are filled in
 * place.
 */
declare module 'sodium-native' {
  interface Sodium {
    randombytes_buf(out: Uint8Array): void;
    crypto_hash_sha256(out: Uint8Array, data: Uint8Array): void;
    crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
    crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
    crypto_core_ed25519_is_valid_point(point: Uint8Array): boolean;
    crypto_scalarmult_base(publicKey: Uint8Array, secret: Uint8Array): void;
    /** Throws for an all-zero result. */
    crypto_scalarmult(out: Uint8Array, secret: Uint8Array, publicKey: Uint8Array): void;
    crypto_aead_chacha20poly1305_ietf_encrypt(
      out: Uint8Array,
      plaintext: Uint8Array,
      aad: Uint8Array,
      secretNonce: null,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number;
    /** Throws if the tag is wrong. */
    crypto_aead_chacha20poly1305_ietf_decrypt(
      out: Uint8Array,
      secretNonce: null,
      sealed: Uint8Array,
      aad: Uint8Array,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number;
    crypto_stream_chacha20_ietf_xor_ic(
      out: Uint8Array,
      input: Uint8Array,
      nonce: Uint8Array,
      block: number,
      key: Uint8Array,
    ): void;
    readonly crypto_onetimeauth_STATEBYTES: number;
    crypto_onetimeauth_init(state: Uint8Array, key: Uint8Array): void;
    crypto_onetimeauth_update(state: Uint8Array, data: Uint8Array): void;
    crypto_onetimeauth_final(state: Uint8Array, tag: Uint8Array): void;
  }
  const sodium: Sodium;
  // biome-ignore lint/style/noDefaultExport: a CommonJS package arrives as the default export
  export default sodium;
}
