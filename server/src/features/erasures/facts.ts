/** The erasures, for the features that erase people and look for them. */
export {
  findErasure,
  findSubjectErasures,
  listErasures,
  listUnfinished,
  saveErasure,
  setFinished,
} from './store.ts';
