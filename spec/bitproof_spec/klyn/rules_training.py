"""Rules of the training state: its members each by itself, and generators against the model's Dropouts."""

from __future__ import annotations

from bitproof_spec.rules import Rule

TRAINING_RULES = (
    Rule(
        "KNN-TRN-01",
        "members",
        'The optimizer\'s type is "SGD" or "Adam".',
        "Its state means nothing to another.",
        '"RMSprop"',
    ),
    Rule(
        "KNN-TRN-02",
        "members",
        "learning_rate is at least 0.",
        "A negative rate climbs.",
        "bfb999999999999a, which is -0.1",
    ),
    Rule(
        "KNN-TRN-03",
        "members",
        "momentum, beta1 and beta2 are in [0, 1).",
        "At 1 a moment never forgets, and Adam's correction divides by zero.",
        "beta1 of 3ff0000000000000, which is 1",
    ),
    Rule(
        "KNN-TRN-04",
        "members",
        "epsilon, rounded to the training precision, is finite and above 0.",
        "An epsilon that vanishes leaves 0/0 for a parameter without gradient.",
        "3690000000000000, which is 2^-150, in a binary32 model",
    ),
    Rule(
        "KNN-TRN-05",
        "members",
        "beta1_power and beta2_power are in [0, 1].",
        "They are products of betas; 0 is what they underflow to.",
        "4000000000000000, which is 2",
    ),
    Rule(
        "KNN-TRN-06",
        "members",
        'loss is "sparse_categorical_crossentropy" or "mean_squared_error".',
        "Training would go on towards another objective.",
        '"mse"',
    ),
    Rule(
        "KNN-TRN-07",
        "members",
        "loss_scale is an object for binary16 and null for the others.",
        "Half precision can't resume without its scale, and the others have none.",
        "null in a binary16 model",
    ),
    Rule(
        "KNN-TRN-08",
        "members",
        "scale and initial_scale are in [2^-126, the largest finite binary32].",
        "Gradients are divided by the scale in binary32; outside it is zero, subnormal or infinite there.",
        "0000000000000000",
    ),
    Rule(
        "KNN-TRN-09",
        "members",
        "growth_factor is at least 1.",
        "Growing would shrink.",
        "3fe0000000000000, which is 0.5",
    ),
    Rule(
        "KNN-TRN-10",
        "members",
        "backoff_factor is in (0, 1].",
        "Backing off would grow, or end at 0.",
        "0000000000000000",
    ),
    Rule(
        "KNN-TRN-11",
        "members",
        "good_steps is below growth_interval.",
        "The scale would never grow again: the count has passed the step at which it grows.",
        "good_steps 2000 with an interval of 2000, or an interval of 0",
    ),
    Rule(
        "KNN-TRN-12",
        "members",
        "A generator's counter is 64 lower-case hex digits, most significant first.",
        "Two spellings of one counter would be two files for one state.",
        "63 digits",
    ),
)

RANDOM_RULES = (
    Rule(
        "KNN-RND-01",
        "shapes",
        "random holds a generator for every Dropout, of rate 0 too.",
        "A generator that starts afresh draws other masks than the run that was saved.",
        "an empty list in a model with a Dropout",
    ),
    Rule(
        "KNN-RND-02",
        "shapes",
        "random names no stage that isn't a Dropout.",
        "State under a wrong name is state that is lost.",
        'a generator of "dropout_l"',
    ),
    Rule(
        "KNN-RND-03",
        "shapes",
        "random names every Dropout once.",
        "Of two counters for one generator one is wrong.",
        "the same stage twice",
    ),
    Rule(
        "KNN-RND-04",
        "shapes",
        "random is in stage order.",
        "Two orders would be two files for one state.",
        "the generators of two Dropouts exchanged",
    ),
)
