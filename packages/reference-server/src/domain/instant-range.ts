/** First and last instant that ISO 8601 writes with a year of four digits, in milliseconds since the epoch. */
export const FIRST_INSTANT = -62_167_219_200_000
export const LAST_INSTANT = 253_402_300_799_999
