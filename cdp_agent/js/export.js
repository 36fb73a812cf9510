// What the Python side may call.
globalThis.cdpAgent = {
  prepare, prepareEdit, prepareKeys, inView, center, isRendered, finish, rest, restAfterwards, restAfterLoading, lastTask, receipt, disarm, arm, setValue, aimSlider, insertLines, readValue, focusOn, selectAll, nextFrame, sketch,
  cover: () => prepare.cover || (action && action.cover),
  beginCauses, guardFrame, unguardFrame, guardOfChildren,
  receiver, isListOpen, choiceKind, choose, choice, suggestion, checkedState, awaitChecked, prepareFocus, isFocused, keyHolder, keyHolderFacts, dispatchClick,
  prepareFiles, armFiles, holdsFiles,
  carryBegin, carryState, carryClose, carryRetarget, carryAbort, carryEnd, plainPoint,
  scrollBegin, scrollFinish, scrollDisarm, wheelSpot, wheelBegin,
  scrollFrame: () => scrollBegin.frame,
  find, atPath, atPathWithText, factsOf, harvest, readable, documentState, measuredLayout, nodesNumbered, hiddenNodes, nodesInView, adoptRoot, chooseNodes,
  widget, findOption, pickedNames, chipNames, awaitChips, findChip, filterField, shownChoice, showsChoice, staysOpen, isInModal,
  picked: () => picked,
  filter: () => filter,
  awaitTextPlace, selectPiece, cellFacts, sliderFacts, awaitSliderValue, awaitCellEditor, awaitCellText, hitAt,
  textPlace: () => textPlace,
  cellEditor: () => editor,
  sliderThumb: () => sliderThumb,
  hit: () => hitAt.element,
  watchFrame, watchElement, nextStir, lock, locksOf, unlock,
};
installWatch();
installCauses();
installLoading();
installGuard();
installLock();
installCarry();
installElsewhere();
inheritGuard();
