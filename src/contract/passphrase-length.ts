/** Characters; longest passphrase that a field, a call or a frame takes. */
export const maxPassphraseLength = 1000;
