export { replaceFile, replaceFileSync } from './replace-file.ts'
export { writeWhole, writeWholeSync } from './temporary-file.ts'
