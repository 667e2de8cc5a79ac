; Booleans, let, ite, names in bars
(set-logic LIA)
(synth-inv |my inv| ((b Bool) (|x y| Int)))
(define-fun twice ((a Int)) Int (* 2 a))
(define-fun pre ((b Bool) (|x y| Int)) Bool (and b (distinct |x y| (- 7))))
(define-fun trans ((b Bool) (|x y| Int) (b! Bool) (|x y!| Int)) Bool
  (let ((z (ite b (twice |x y|) (- |x y| 1)))) (and (xor b b!) (= |x y!| z))))
(define-fun post ((b Bool) (|x y| Int)) Bool (or b (> |x y| 0) true))
(inv-constraint |my inv| pre trans post)
(check-synth)
