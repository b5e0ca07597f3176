/** The erasures, for the features that erase people and look for them. */
export {
  findErasure,
  findSubjectErasures,
  hasErasures,
  listErasures,
  listUnfinished,
  saveErasure,
  setFinished,
} from './store.ts';
