// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: there is no misuse here, so the checker must complain.
// refused: error
int main() {}
